import type { Log } from '../base/log.ts'
import type { RunTask } from '../engine/engines/carry-out.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/home.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Model } from './model.ts'

/** Executes tasks in the tab that was opened last; undefined if no language model is configured. */
export async function sessionAgent(model: Model | undefined, log: Log): Promise<RunAgent | undefined> {
  if (!model) return undefined
  // Loaded only when used: a service without a model should not keep it in memory.
  const { runAgent } = await import('../remote-browser/agent/agent.ts')
  return async (browser, { teamId, ...order }, signal) => {
    const context = await contextOf(browser)
    const page = context.pages().at(-1) ?? (await context.newPage())
    const { page: _, ...outcome } = await runAgent({ model: model.of(teamId), page, log }, order, signal)
    return outcome
  }
}

/** Executes a task on a page that is read afterwards; undefined if no language model is configured. */
export async function pageTask(model: Model | undefined, log: Log): Promise<RunTask | undefined> {
  if (!model) return undefined
  const { runAgent } = await import('../remote-browser/agent/agent.ts')
  return async (page, { teamId, turn, trace, ...order }, signal) => {
    const own = model.of(teamId, trace)
    // While the model thinks, the place of the page may go to others.
    const step: LanguageModel['step'] = (...asked) => turn.whileWaiting(() => own.step(...asked))
    const outcome = await runAgent({ model: { ...own, step }, page, log }, order, signal)
    const { output: answer, stdout: steps, stopped } = outcome
    return { answer, steps, ...(stopped === undefined ? {} : { stopped }) }
  }
}

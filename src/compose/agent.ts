import type { Log } from '../base/log.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/home.ts'
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

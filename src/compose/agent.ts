import type { Log } from '../base/log.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/home.ts'
import type { Settings } from '../settings.ts'

/** Executes tasks in the tab that was opened last; undefined if no language model is configured. */
export async function sessionAgent(settings: Settings, log: Log): Promise<RunAgent | undefined> {
  if (!settings.model) return undefined
  // Loaded only when used: a service without a model should not keep it in memory.
  const { openLanguageModel } = await import('../adapters/language-model/open.ts')
  const { runAgent } = await import('../remote-browser/agent/agent.ts')
  const model = openLanguageModel(settings.model)
  return async (browser, order, signal) => {
    const context = await contextOf(browser)
    const page = context.pages().at(-1) ?? (await context.newPage())
    const { page: _, ...outcome } = await runAgent({ model, page, log }, order, signal)
    return outcome
  }
}

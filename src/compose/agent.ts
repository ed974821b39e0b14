import { openLanguageModel } from '../adapters/language-model/open.ts'
import type { Log } from '../base/log.ts'
import { runAgent } from '../browser/agent/agent.ts'
import { contextOf } from '../features/sessions/browser.ts'
import type { RunAgent } from '../features/sessions/home.ts'
import type { Settings } from '../settings.ts'

/** Carries out tasks in the tab that was opened last; undefined where no language model is configured. */
export function sessionAgent(settings: Settings, log: Log): RunAgent | undefined {
  if (!settings.model) return undefined
  const model = openLanguageModel(settings.model)
  return async (browser, order, signal) => {
    const context = await contextOf(browser)
    const page = context.pages().at(-1) ?? (await context.newPage())
    const { page: _, ...outcome } = await runAgent({ model, page, log }, order, signal)
    return outcome
  }
}

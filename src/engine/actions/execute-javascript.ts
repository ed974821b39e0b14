import type { Page } from 'playwright-core'
import { text } from '../../base/bounded.ts'
import { defineAction } from './action.ts'

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  description: 'Runs a script in the page and returns its value.',
  fields: { script: text('MAX_SCRIPT_LENGTH').min(1) },
  async run(page, { script }, { results }) {
    const value = await evaluate(page, script)
    results.javascriptReturns.push({ type: value === null ? 'null' : typeof value, value: value ?? null })
  },
})

/** The value of the last expression; a script with `return` or `await` at its top is the body of a function. */
async function evaluate(page: Page, script: string): Promise<unknown> {
  try {
    return await page.evaluate(script)
  } catch (thrown) {
    // A syntax error means that nothing of it ran.
    if (
      !(thrown instanceof Error) ||
      !/Illegal return|await is only valid|Unexpected (reserved word|identifier)/.test(thrown.message)
    ) {
      throw thrown
    }
    return page.evaluate(`(async () => {\n${script}\n})()`)
  }
}

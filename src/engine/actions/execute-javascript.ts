import type { Page } from 'playwright-core'
import { text } from '../../base/bounded.ts'
import { evaluateAmong } from '../../browser/evaluate-apart.ts'
import { defineAction } from './action.ts'

/** Characters of JSON. */
const mostReturned = 16 * 1024 * 1024

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  description: 'Runs a script in the page and returns its value.',
  fields: { script: text('MAX_SCRIPT_LENGTH').min(1) },
  async run(page, { script }, { results, whileWaiting }) {
    const returned = await whileWaiting(() => evaluate(page, script))
    const type = returned.slice(0, returned.indexOf(':'))
    const value: unknown = JSON.parse(returned.slice(type.length + 1))
    results.javascriptReturns.push({ type: type === 'object' && value === null ? 'null' : type, value })
  },
})

/** The value of the last expression; a script with `return` or `await` at its top is the body of a function. */
async function evaluate(page: Page, script: string): Promise<string> {
  try {
    return await run(page, script)
  } catch (thrown) {
    // A syntax error means that nothing of it ran.
    if (
      !(thrown instanceof Error) ||
      !/Illegal return|await is only valid|Unexpected (reserved word|identifier)/.test(thrown.message)
    ) {
      throw thrown
    }
    return run(page, `(async () => {\n${script}\n})()`)
  }
}

/** The type of the value and its JSON, measured in the page: one that is too long is never on its way. */
async function run(page: Page, source: string): Promise<string> {
  const returned = await evaluateAmong(
    page,
    `(async () => {
      try {
        let value = await (0, eval)(${JSON.stringify(source)})
        if (typeof value === 'function') value = await value()
        const json = JSON.stringify(value)
        if (typeof json !== 'string') return typeof value + ':null'
        return json.length > ${mostReturned} ? 'large' : typeof value + ':' + json
      } catch (thrown) {
        const text = '' + thrown
        return 'thrown:' + (text.length > 2000 ? 'an error with a long text' : text)
      }
    })()`,
  )
  const answer = typeof returned === 'string' ? returned : 'thrown:'
  if (answer.startsWith('thrown:')) throw new Error(answer.slice('thrown:'.length))
  if (answer !== 'large') return answer
  throw new Error(
    `it returned more than the ${mostReturned} characters of JSON that are handed on (MOST_RETURNED)`,
  )
}

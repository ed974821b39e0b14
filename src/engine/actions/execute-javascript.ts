import type { Page } from 'playwright-core'
import { text } from '../../base/bounded.ts'
import { parseForeignJson } from '../../base/parse-json.ts'
import { evaluateAmong } from '../../browser/evaluate-apart.ts'
import { defineAction } from './action.ts'
import { scriptInPage } from './script-in-page.ts'

/** Characters of JSON. */
const mostReturned = 16 * 1024 * 1024
const mostValues = 1_000_000

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  description:
    'Runs a script in the page and returns the value of its last expression or of its return statement. await is allowed.',
  isRepeated: true,
  fields: { script: text('MAX_SCRIPT_LENGTH').min(1) },
  example: { script: 'document.title' },
  async run(page, { script }, { results, whileWaiting }) {
    const returned = await whileWaiting(() => evaluate(page, script))
    const type = returned.slice(0, returned.indexOf(':'))
    const value: unknown = parseForeignJson(returned.slice(type.length + 1))
    results.javascriptReturns.push({ type: type === 'object' && value === null ? 'null' : type, value })
  },
})

async function evaluate(page: Page, source: string): Promise<string> {
  const script = JSON.stringify({ source, mostReturned, mostValues })
  const returned = await evaluateAmong(page, `(${scriptInPage.source})(${script})`)
  const answer = typeof returned === 'string' ? returned : 'thrown:'
  if (answer.startsWith('thrown:')) throw new Error(answer.slice('thrown:'.length))
  if (answer !== 'large') return answer
  throw new Error(
    `it returned more than ${mostReturned} characters of JSON (MOST_RETURNED) or ${mostValues} values (MOST_VALUES)`,
  )
}

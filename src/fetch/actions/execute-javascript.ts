import type { Page } from 'playwright-core'
import { evaluateInMainWorld, pageScript } from '../../browser/page-script.ts'
import { text } from '../../platform/bounded.ts'
import { parseForeignJson } from '../../platform/json/json.ts'
import { defineAction } from './action.ts'

/** Characters of JSON. */
const maxReturned = 16 * 1024 * 1024
const maxValues = 1_000_000

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  description:
    'Runs a script in the page and returns the value of its last expression or of its return statement. await is allowed.',
  isRepeated: true,
  fields: { script: text('MAX_SCRIPT_LENGTH').min(1) },
  example: { script: 'document.title' },
  async run(page, { script }, { results, whileWaiting }) {
    const returned = await whileWaiting(() => evaluateIn(page, script))
    const type = returned.slice(0, returned.indexOf(':'))
    const value: unknown = parseForeignJson(returned.slice(type.length + 1))
    results.javascriptReturns.push({ type: type === 'object' && value === null ? 'null' : type, value })
  },
})

async function evaluateIn(page: Page, source: string): Promise<string> {
  const script = JSON.stringify({ source, maxReturned, maxValues })
  const returned = await evaluateInMainWorld(page, `(${scriptInPage.source})(${script})`)
  const answer = typeof returned === 'string' ? returned : 'thrown:'
  if (answer.startsWith('thrown:')) throw new Error(answer.slice('thrown:'.length))
  if (answer !== 'large') return answer
  throw new Error(
    `it returned more than ${maxReturned} characters of JSON (MOST_RETURNED) or ${maxValues} values (MOST_VALUES)`,
  )
}

interface Script {
  source: string
  /** Characters of JSON that are handed on. */
  maxReturned: number
  /** Values inside the returned one that are looked at. */
  maxValues: number
}

/** A line that begins so belongs to the one before it. */
const continues = /^\s*(?:[([`+\-*/%,.?:&|^<>=]|in\b|instanceof\b)/

/** The type of what a script returns and its JSON, measured here: one that is too long is never on its way. */
export const scriptInPage = pageScript(answer, {
  ...{ run, isProgram, evaluate, isolated, asBody, isWholeScript, continues },
  ...{ readable, written, plain, ofObject, ofNode },
})

async function answer({ source, maxReturned, maxValues }: Script): Promise<string> {
  const writing = { maxValues, hasTooMany: false }
  try {
    let value = await run(source)
    if (isWholeScript(value, source)) value = await (value as () => unknown)()
    const json = readable(value, writing)
    if (writing.hasTooMany) return 'large'
    if (typeof json !== 'string') return `${typeof value}:null`
    return json.length > maxReturned ? 'large' : `${typeof value}:${json}`
  } catch (thrown) {
    const text = `${thrown}`
    return `thrown:${text.length > 2000 ? 'an error with a long text' : text}`
  }
}

function run(source: string): unknown {
  // What declares something is to be there for the next script.
  const declares = /^\s*(?:async\s+)?(?:function|class)\b/.test(source)
  const isWhole = isProgram(source)
  const expression =
    declares && isWhole ? undefined : isolated(`return (${source.trim().replace(/[;\s]+$/, '')}\n)`)
  if (expression) return expression()
  const body = isWhole ? undefined : asBody(source)
  return body ? body() : evaluate(source)
}

function isProgram(source: string): boolean {
  try {
    evaluate(`if (false) {${source}\n}`)
    return true
  } catch {
    return false
  }
}

function evaluate(text: string): unknown {
  // biome-ignore lint/security/noGlobalEval: the script is the caller's own and runs in the page it asked for
  return globalThis.eval(text)
}

function isolated(body: string): (() => unknown) | undefined {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  try {
    return AsyncFunction(body) as () => unknown
  } catch {
    return undefined
  }
}

/** With `await` at its top: the body of a function that returns the value of its last statement. */
function asBody(source: string): (() => unknown) | undefined {
  let at = source.length
  for (let tries = 0; tries < 50 && at > 0; tries += 1) {
    at = Math.max(source.lastIndexOf(';', at - 1), source.lastIndexOf('\n', at - 1))
    const tail = source.slice(at + 1).replace(/[;\s]+$/, '')
    if (tail === '' || (source[at] === '\n' && continues.test(tail))) continue
    // On the same line: behind the sign of a comment it stays one, and does not parse.
    const made = isolated(`${source.slice(0, at + 1)} return (${tail}\n)`)
    if (made) return made
  }
  return isolated(source)
}

/** A script that is nothing but a function means what that returns. */
function isWholeScript(value: unknown, source: string): boolean {
  return typeof value === 'function' && /^[\s();]*$/.test(source.replace(String(value), () => ''))
}

interface Writing {
  /** Values inside the returned one that are looked at. */
  maxValues: number
  hasTooMany: boolean
}

/** Whatever a script of the page may return, as JSON. */
function readable(value: unknown, writing: Writing): string | undefined {
  if (typeof value === 'function') return JSON.stringify(String(value))
  try {
    return written(value, writing)
  } catch (thrown) {
    return JSON.stringify(`${Object.prototype.toString.call(value)}, which cannot be serialised: ${thrown}`)
  }
}

function written(value: unknown, writing: Writing): string | undefined {
  const above: { origin: unknown; shown: unknown }[] = []
  let count = 0
  return JSON.stringify(value, function (this: unknown, _, origin: unknown) {
    count += 1
    writing.hasTooMany = count > writing.maxValues
    if (writing.hasTooMany) throw new RangeError('it has too many values')
    while (above.length > 0 && above.at(-1)?.shown !== this) above.pop()
    if (above.some((holder) => holder.origin === origin)) return '[circular]'
    const shown = plain(origin)
    if (typeof shown === 'object' && shown !== null) above.push({ origin, shown })
    return shown
  })
}

function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return ofObject(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  const isReadable = typeof value !== 'bigint' && typeof value !== 'symbol'
  return isReadable && (typeof value !== 'number' || Number.isFinite(value)) ? value : String(value)
}

function ofObject(value: object): unknown {
  if ('window' in value && value.window === value) return '[Window]'
  if ('nodeType' in value && 'nodeName' in value) return ofNode(value as Node)
  if (value instanceof NodeList || value instanceof HTMLCollection) return Array.from(value)
  if (value instanceof Map || value instanceof Set) return Array.from(value)
  return value instanceof Error || value instanceof RegExp ? String(value) : value
}

function ofNode(node: Node): string {
  if ('outerHTML' in node) return String(node.outerHTML)
  if ('documentElement' in node) return ofNode(node.documentElement as Node)
  return node.nodeValue ?? node.nodeName
}

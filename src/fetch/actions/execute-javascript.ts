import type { Page } from 'playwright-core'
import { evaluateInMainWorld, pageScript } from '../../browser/page-script.ts'
import { boundedText } from '../../platform/bounded.ts'
import { parseForeignJson } from '../../platform/json/json.ts'
import { defineAction } from './action.ts'

const maxReturned = 16 * 1024 * 1024
const maxValues = 1_000_000

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  description:
    'Runs a script in the page and returns the value of its last expression or of its return statement. await is allowed.',
  isRepeated: true,
  fields: { script: boundedText('MAX_SCRIPT_LENGTH').min(1) },
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
  const result = typeof returned === 'string' ? returned : 'thrown:'
  if (result.startsWith('thrown:')) throw new Error(result.slice('thrown:'.length))
  if (result !== 'large') return result
  throw new Error(
    `it returned more than ${maxReturned} characters of JSON (MOST_RETURNED) or ${maxValues} values (MOST_VALUES)`,
  )
}

const continues = /^\s*(?:[([`+\-*/%,.?:&|^<>=]|in\b|instanceof\b)/

/** Checks the limits in the page, so that no oversized result is transferred. */
export const scriptInPage = pageScript(answer, {
  ...{ run, isProgram, evaluate, isolated, asBody, isWholeScript, continues },
  ...{ readable, written, plain, ofObject, ofNode },
})

async function answer(script: { source: string } & Record<'maxReturned' | 'maxValues', number>) {
  const { source, maxReturned, maxValues } = script
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
  // A declaration must stay available to the next script.
  const isDeclaration = /^\s*(?:async\s+)?(?:function|class)\b/.test(source)
  const isParsable = isProgram(source)
  const expression =
    isDeclaration && isParsable ? undefined : isolated(`return (${source.trim().replace(/[;\s]+$/, '')}\n)`)
  if (expression) return expression()
  const body = isParsable ? undefined : asBody(source)
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
  // biome-ignore lint/security/noGlobalEval: the script comes from the caller and runs in the page that the caller requested
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

function asBody(source: string): (() => unknown) | undefined {
  let at = source.length
  for (let attempt = 0; attempt < 50 && at > 0; attempt += 1) {
    at = Math.max(source.lastIndexOf(';', at - 1), source.lastIndexOf('\n', at - 1))
    const tail = source.slice(at + 1).replace(/[;\s]+$/, '')
    if (tail === '' || (source[at] === '\n' && continues.test(tail))) continue
    // On the same line: if the cut is in a comment, the code becomes part of the comment and does not parse.
    const compiled = isolated(`${source.slice(0, at + 1)} return (${tail}\n)`)
    if (compiled) return compiled
  }
  return isolated(source)
}

function isWholeScript(value: unknown, source: string): boolean {
  return typeof value === 'function' && /^[\s();]*$/.test(source.replace(String(value), () => ''))
}

interface Writing {
  maxValues: number
  hasTooMany: boolean
}

function readable(value: unknown, writing: Writing): string | undefined {
  if (typeof value === 'function') return JSON.stringify(String(value))
  try {
    return written(value, writing)
  } catch (thrown) {
    return JSON.stringify(`${Object.prototype.toString.call(value)}, which cannot be serialised: ${thrown}`)
  }
}

function written(value: unknown, writing: Writing): string | undefined {
  const ancestors: { origin: unknown; shown: unknown }[] = []
  let count = 0
  return JSON.stringify(value, function (this: unknown, _, origin: unknown) {
    count += 1
    writing.hasTooMany = count > writing.maxValues
    if (writing.hasTooMany) throw new RangeError('it has too many values')
    while (ancestors.length > 0 && ancestors.at(-1)?.shown !== this) ancestors.pop()
    if (ancestors.some((holder) => holder.origin === origin)) return '[circular]'
    const plainValue = plain(origin)
    if (typeof plainValue === 'object' && plainValue !== null) ancestors.push({ origin, shown: plainValue })
    return plainValue
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

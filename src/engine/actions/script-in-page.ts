import { pageScript } from '../../browser/page-script.ts'
import { valueParts } from './script-value.ts'

interface Script {
  source: string
  /** Characters of JSON that are handed on. */
  mostReturned: number
  /** Values inside the returned one that are looked at. */
  mostValues: number
}

/** A line that begins so belongs to the one before it. */
const continues = /^\s*(?:[([`+\-*/%,.?:&|^<>=]|in\b|instanceof\b)/

/** The type of what a script returns and its JSON, measured here: one that is too long is never on its way. */
export const scriptInPage = pageScript(
  answer,
  { run, isProgram, evaluate, isolated, asBody, isWholeScript, continues },
  valueParts,
)

declare const readable: typeof import('./script-value.ts').readable

async function answer({ source, mostReturned, mostValues }: Script): Promise<string> {
  const writing = { mostValues, hasTooMany: false }
  try {
    let value = await run(source)
    if (isWholeScript(value, source)) value = await (value as () => unknown)()
    const json = readable(value, writing)
    if (writing.hasTooMany) return 'large'
    if (typeof json !== 'string') return `${typeof value}:null`
    return json.length > mostReturned ? 'large' : `${typeof value}:${json}`
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

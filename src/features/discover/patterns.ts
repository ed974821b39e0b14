import { RE2JS } from 're2js'
import { AppError } from '../../base/errors.ts'
import { hashRoute } from '../../base/hash-route.ts'
import { nextTurn } from '../../base/next-turn.ts'
import { patternBudget } from './pattern-budget.ts'
import { patternSize } from './pattern-size.ts'

export interface Patterns {
  /** Why a URL is not wanted; undefined where it is. */
  refuses(url: URL): 'include paths' | 'exclude paths' | undefined
}

export interface PatternOptions {
  includePaths: string[]
  excludePaths: string[]
  regexOnFullURL: boolean
}

/** For a request without patterns. */
export const allWanted: Patterns = { refuses: () => undefined }

/** Compiling a list at its bound takes a tenth of a second, so other calls get their turn after so many parts of it. */
const partsInTurn = 1000

/**
 * Compiles include and exclude patterns. They are run by an engine whose time is linear in the text, so no pattern can hold up the
 * service. It has no look-around and no back-references, and the error for such a pattern says so.
 */
export async function compilePatterns(options: PatternOptions): Promise<Patterns> {
  const included = await compileList(options.includePaths, 'includePaths')
  const excluded = await compileList(options.excludePaths, 'excludePaths')
  const matchesAny = (patterns: RE2JS[], texts: string[]) =>
    patterns.some((pattern) => texts.some((text) => pattern.test(text)))
  const budget = patternBudget()
  return {
    refuses(url) {
      return budget.spend(() => judge(url))
    },
  }

  function judge(url: URL) {
    const texts = options.regexOnFullURL ? [url.href] : pathsOf(url)
    if (included.length > 0 && !matchesAny(included, texts)) return 'include paths'
    return matchesAny(excluded, texts) ? 'exclude paths' : undefined
  }
}

/** Refuses a request with a pattern that the engine does not accept. */
export async function checkPatterns(request: {
  includePaths?: readonly string[] | undefined
  excludePaths?: readonly string[] | undefined
}): Promise<void> {
  await compileList(request.includePaths ?? [], 'includePaths')
  await compileList(request.excludePaths ?? [], 'excludePaths')
}

async function compileList(patterns: readonly string[], field: string): Promise<RE2JS[]> {
  const compiled: RE2JS[] = []
  let parts = 0
  for (const [index, text] of patterns.entries()) {
    parts += patternSize(text)
    if (parts > partsInTurn) {
      await nextTurn()
      parts = 0
    }
    compiled.push(compile(text, [field, index]))
  }
  return compiled
}

/**
 * Some write "^/blog/", some "^blog/": the path is tried with its first slash and without. That of a hash route is what stands in
 * the fragment, and the whole behind it.
 */
function pathsOf(url: URL): string[] {
  const route = hashRoute(url)?.replace(/^#!?/, '').replace(/\?.*$/, '')
  const paths = route === undefined ? [url.pathname] : [route, url.pathname + url.hash]
  return paths.flatMap((path) => (path.startsWith('/') ? [path, path.slice(1)] : [path]))
}

function compile(text: string, path: [string, number]): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (thrown) {
    const message = `"${text}" is not a valid pattern: ${reasonOf(thrown)}.`
    throw new AppError(
      'BAD_REQUEST',
      { details: [{ code: 'custom', path, message }] },
      { message: `${path[0]}[${path[1]}]: ${message}` },
    )
  }
}

/** What is wrong with a pattern, in the words of the engine. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it cannot be parsed'
  const reason = thrown.message.replace(/^error parsing regexp: /, '')
  const isUnsupported = /\(\?[=!<]|escape sequence: `\\\d/.test(reason)
  return isUnsupported ? `${reason} (look-around and back-references are not supported)` : reason
}

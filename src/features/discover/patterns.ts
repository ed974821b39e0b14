import { RE2JS } from 're2js'
import { AppError } from '../../base/errors.ts'
import { hashRoute } from '../../base/hash-route.ts'
import { patternBudget } from './pattern-budget.ts'

export interface Patterns {
  /** Why a URL is not wanted; undefined where it is. */
  refuses(url: URL): 'include paths' | 'exclude paths' | undefined
}

export interface PatternOptions {
  includePaths: string[]
  excludePaths: string[]
  regexOnFullURL: boolean
}

/**
 * Include and exclude patterns, run by an engine whose time grows with the text alone: no pattern can hold the service.
 * It knows no look-around and no back-references, and says so.
 */
export function compilePatterns(options: PatternOptions): Patterns {
  const included = options.includePaths.map((text, index) => compile(text, `includePaths[${index}]`))
  const excluded = options.excludePaths.map((text, index) => compile(text, `excludePaths[${index}]`))
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

/**
 * Some write "^/blog/", some "^blog/": the path is tried with its first slash and without. That of a hash route is what stands in
 * the fragment, and the whole behind it.
 */
function pathsOf(url: URL): string[] {
  const route = hashRoute(url)?.replace(/^#!?/, '').replace(/\?.*$/, '')
  const paths = route === undefined ? [url.pathname] : [route, url.pathname + url.hash]
  return paths.flatMap((path) => (path.startsWith('/') ? [path, path.slice(1)] : [path]))
}

/** Returns what is wrong with a pattern, in the words of the engine; undefined if nothing is. */
export function patternProblem(text: string): string | undefined {
  const compiled = tryCompile(text)
  return typeof compiled === 'string' ? compiled : undefined
}

/** Returns the compiled pattern, or what is wrong with it. */
function tryCompile(text: string): RE2JS | string {
  try {
    return RE2JS.compile(text)
  } catch (thrown) {
    const reason =
      thrown instanceof Error ? thrown.message.replace(/^error parsing regexp: /, '') : 'it cannot be parsed'
    const hint = /\(\?[=!<]|escape sequence: `\\\d/.test(reason)
      ? ' (look-around and back-references are not supported)'
      : ''
    return `${reason}${hint}`
  }
}

function compile(text: string, where: string): RE2JS {
  const compiled = tryCompile(text)
  if (typeof compiled !== 'string') return compiled
  throw new AppError(
    'BAD_REQUEST',
    { pattern: text },
    { message: `${where} is not a valid pattern: ${compiled}.` },
  )
}

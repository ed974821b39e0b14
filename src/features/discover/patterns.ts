import { RE2JS } from 're2js'
import { beyond, list, text } from '../../platform/bounded.ts'
import { bounds, exceeds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { hashRoute } from '../../platform/url.ts'

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
export const allMatch: Patterns = { refuses: () => undefined }

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

/** For one address; sensible patterns take some microseconds. */
const mostMs = bounds.MAX_PATTERN_MS.most
/** A machine that pauses makes one address slow, patterns make many of them so. */
const leastSlow = 10
const slowShare = 0.1

/**
 * Matching takes time in proportion to the patterns and the address, and there are patterns that make the most of both. A site
 * has a million addresses, so patterns that prove slow end the job before they hold up everybody else's.
 */
export function patternBudget(clock: () => number = () => performance.now()) {
  let slow = 0
  let addresses = 0
  return {
    spend<Result>(work: () => Result): Result {
      if (slow >= leastSlow && slow > slowShare * addresses) throw tooSlow()
      const began = clock()
      try {
        return work()
      } finally {
        if (clock() - began > mostMs) slow += 1
        addresses += 1
      }
    },
  }
}

function tooSlow(): AppError {
  const message = `includePaths and excludePaths take too long for each URL. ${exceeds('MAX_PATTERN_MS')}`
  return new AppError('BAD_REQUEST', { bound: 'MAX_PATTERN_MS', most: mostMs, details: [] }, { message })
}

/**
 * Patterns of a caller. Only their sizes are checked here, because validation runs in one turn of the main thread; whether the engine
 * accepts them shows when they are compiled, before a job starts.
 */
export const patternList = list(text('MAX_PATTERN_LENGTH').min(1), 'MAX_PATTERNS').superRefine(
  (given, context) => {
    let together = 0
    for (const one of given) {
      const size = patternSize(one)
      together += size
      if (size > bounds.MAX_PATTERN_SIZE.most) return beyond('MAX_PATTERN_SIZE', context)
      if (together > bounds.MAX_PATTERNS_SIZE.most) return beyond('MAX_PATTERNS_SIZE', context)
    }
  },
)

/** Tables of Unicode are long, and each mention of one is read again. */
const sizeOfTable = 20
/** A longer class is sorted and joined, which takes as long as a part for each so many characters. */
const shortClass = 32
const classCharactersPerPart = 4

/**
 * How many parts a pattern has when its repetitions are written out, which is what the engine does: seven characters such as
 * `a{1000}` become a thousand steps. Told from the text alone, before the engine sees it; a pattern that is not valid has some
 * size too.
 */
export function patternSize(pattern: string): number {
  const outer: { size: number; last: number }[] = []
  let size = 0
  let last = 0
  const add = (part: number) => {
    size += part
    last = part
  }
  for (const [piece] of pattern.matchAll(tokens)) {
    if (piece.startsWith('(')) {
      outer.push({ size, last })
      size = 0
      last = 0
    } else if (piece === ')') {
      const group = size + 2
      size = outer.pop()?.size ?? 0
      add(group)
    } else if (/^\{\d/.test(piece)) {
      const copies = Math.max(1, ...(piece.match(/\d+/g) ?? []).map(Number))
      size += last * (copies - 1)
      last *= copies
    } else if (piece.startsWith('\\Q')) add(piece.length)
    else if (piece.startsWith('[') || piece.startsWith('\\')) add(sizeOfClass(piece))
    else {
      size += piece.length
      last = 1
    }
  }
  return outer.reduce((sum, { size: before }) => sum + before, size)
}

function sizeOfClass(piece: string): number {
  const tables = piece.match(/\\[pP]/g)?.length ?? 0
  const characters = piece.startsWith('[') ? Math.max(0, piece.length - shortClass) : 0
  return 1 + sizeOfTable * tables + Math.floor(characters / classCharactersPerPart)
}

/** Quoted text, a class, an escape, a repetition, the beginning of a group with its flags, or characters that stand for themselves. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\((?:\?(?:P?<\w*>|[\w-]*:))?|[^\\()[\]{}]+|[\s\S]/g

import { RE2JS } from 're2js'
import { addBoundIssue, boundedList, boundedText } from '../../platform/bounded.ts'
import { bounds, formatBoundError } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { hashRoute } from '../../platform/url.ts'

export interface Patterns {
  exclusionReason(url: URL): 'include paths' | 'exclude paths' | undefined
}

interface PatternOptions {
  includePaths: string[]
  excludePaths: string[]
  regexOnFullURL: boolean
}

/** Parts compiled before yielding to the event loop. Compiling a list of maximum size takes a tenth of a second. */
const maxPartsPerTurn = 1000

/** The time of the RE2 engine is linear in the text, so no pattern can block the service. */
export async function compilePatterns(options: PatternOptions): Promise<Patterns> {
  const { included, excluded } = await checkPatterns(options)
  const matchesAny = (patterns: RE2JS[], texts: string[]) =>
    patterns.some((pattern) => texts.some((text) => pattern.test(text)))
  const budget = patternBudget()
  const findExclusionReason = (url: URL) => {
    const texts = options.regexOnFullURL ? [url.href] : getPaths(url)
    if (included.length > 0 && !matchesAny(included, texts)) return 'include paths'
    return matchesAny(excluded, texts) ? 'exclude paths' : undefined
  }
  return { exclusionReason: (url) => budget.spend(() => findExclusionReason(url)) }
}

export async function checkPatterns(request: {
  includePaths?: readonly string[] | undefined
  excludePaths?: readonly string[] | undefined
}) {
  const included = await compileList(request.includePaths ?? [], 'includePaths')
  return { included, excluded: await compileList(request.excludePaths ?? [], 'excludePaths') }
}

async function compileList(patterns: readonly string[], field: string): Promise<RE2JS[]> {
  const compiled: RE2JS[] = []
  let parts = 0
  for (const [index, text] of patterns.entries()) {
    parts += patternSize(text)
    if (parts > maxPartsPerTurn) {
      await nextTurn()
      parts = 0
    }
    compiled.push(compile(text, [field, index]))
  }
  return compiled
}

/** Paths are also tested without their leading slash, because callers write both "^/blog/" and "^blog/". */
function getPaths(url: URL): string[] {
  const route = hashRoute(url)?.replace(/^#!?/, '').replace(/\?.*$/, '')
  const paths = route === undefined ? [url.pathname] : [route, url.pathname + url.hash]
  return paths.flatMap((path) => (path.startsWith('/') ? [path, path.slice(1)] : [path]))
}

function compile(text: string, path: [string, number]): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (thrown) {
    const message = `"${text}" is not a valid pattern: ${getReason(thrown)}.`
    const details = [{ code: 'custom', path, message }]
    throw new AppError('BAD_REQUEST', { details }, { message: `${path[0]}[${path[1]}]: ${message}` })
  }
}

function getReason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it cannot be parsed'
  const reason = thrown.message.replace(/^error parsing regexp: /, '')
  const isUnsupported = /\(\?[=!<]|escape sequence: `\\\d/.test(reason)
  return isUnsupported ? `${reason} (look-around and back-references are not supported)` : reason
}

/** Maximum time per URL. Usual patterns take some microseconds. */
const maxMs = bounds.MAX_PATTERN_MS.most
/** A single slow URL may be caused by a pause of the machine. */
const minSlowUrls = 10
const maxSlowShare = 0.1

/** A site has up to a million URLs, so slow patterns end the job before they delay other jobs. */
export function patternBudget(clock: () => number = () => performance.now()) {
  let slowCount = 0
  let urlCount = 0
  return {
    spend<Result>(work: () => Result): Result {
      if (slowCount >= minSlowUrls && slowCount > maxSlowShare * urlCount) {
        const message = `includePaths and excludePaths take too long for each URL. ${formatBoundError('MAX_PATTERN_MS')}`
        throw new AppError('BAD_REQUEST', { bound: 'MAX_PATTERN_MS', most: maxMs, details: [] }, { message })
      }
      const startTime = clock()
      try {
        return work()
      } finally {
        if (clock() - startTime > maxMs) slowCount += 1
        urlCount += 1
      }
    },
  }
}

/** Checks only the sizes, because validation blocks the main thread. The patterns are compiled before a job starts. */
export const patternList = boundedList(boundedText('MAX_PATTERN_LENGTH').min(1), 'MAX_PATTERNS').superRefine(
  (patterns, context) => {
    let totalSize = 0
    for (const pattern of patterns) {
      const size = patternSize(pattern)
      totalSize += size
      if (size > bounds.MAX_PATTERN_SIZE.most) return addBoundIssue('MAX_PATTERN_SIZE', context)
      if (totalSize > bounds.MAX_PATTERNS_SIZE.most) return addBoundIssue('MAX_PATTERNS_SIZE', context)
    }
  },
)

const unicodeClassSize = 20
/** A longer class is sorted and merged, so every few characters count as a part. */
const maxShortClassLength = 32
const classCharactersPerPart = 4

/** Expands repetitions, as the engine does: `a{1000}` has 1000 parts. Invalid patterns have a size too. */
export function patternSize(pattern: string): number {
  const enclosing: { size: number; last: number }[] = []
  let size = 0
  let last = 0
  const add = (part: number) => {
    size += part
    last = part
  }
  for (const [piece] of pattern.matchAll(tokenPattern)) {
    if (piece.startsWith('(')) {
      enclosing.push({ size, last })
      size = 0
      last = 0
    } else if (piece === ')') {
      const group = size + 2
      size = enclosing.pop()?.size ?? 0
      add(group)
    } else if (/^\{\d/.test(piece)) {
      const copies = Math.max(1, ...(piece.match(/\d+/g) ?? []).map(Number))
      size += last * (copies - 1)
      last *= copies
    } else if (piece.startsWith('\\Q')) add(piece.length)
    else if (piece.startsWith('[') || piece.startsWith('\\')) add(getClassSize(piece))
    else {
      size += piece.length
      last = 1
    }
  }
  return enclosing.reduce((sum, { size: before }) => sum + before, size)
}

function getClassSize(piece: string): number {
  const tables = piece.match(/\\[pP]/g)?.length ?? 0
  const characters = piece.startsWith('[') ? Math.max(0, piece.length - maxShortClassLength) : 0
  return 1 + unicodeClassSize * tables + Math.floor(characters / classCharactersPerPart)
}

const tokenPattern =
  /\\Q[\s\S]*?(?:\\E|$)|\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\((?:\?(?:P?<\w*>|[\w-]*:))?|[^\\()[\]{}]+|[\s\S]/g

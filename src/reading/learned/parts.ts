import type { Part } from './memory.ts'

const mostNumbers = 20
const written = /\d+(?:[.,'’\u00A0\u202F ]\d{3})*(?:[.,]\d+)?/g

export interface WrittenNumber {
  text: string
  /** What stands right before it and behind it: a sign, a unit, a word. */
  before: string
  after: string
}

/** The numbers of a short text. */
export function numbersOf(text: string): WrittenNumber[] {
  const found: WrittenNumber[] = []
  for (const match of text.matchAll(written)) {
    if (found.length >= mostNumbers) break
    const minus = /(?:^|\s)[-−]$/.test(text.slice(0, match.index)) ? '-' : ''
    found.push({
      text: minus + match[0],
      before: lastToken(text.slice(0, match.index)),
      after: firstToken(text.slice(match.index + match[0].length)),
    })
  }
  return found
}

function lastToken(text: string): string {
  const [token = ''] = /(?:\p{L}+|[^\p{L}\s])$/u.exec(text.trimEnd().slice(-30)) ?? []
  return /\d/.test(token) ? '0' : token.toLowerCase()
}

function firstToken(text: string): string {
  const [token = ''] = /^(?:\p{L}+|[^\p{L}\s])/u.exec(text.trimStart().slice(0, 30)) ?? []
  return /\d/.test(token) ? '0' : token.toLowerCase()
}

const separators = /\s*[·•|/,;:：()[\]]\s*|\s+[-–—]\s+/
const mostPieces = 30

/** What stands between commas, strokes and the like. */
export function piecesOf(text: string): string[] {
  return text
    .split(separators, mostPieces)
    .map((piece) => piece.trim())
    .filter(Boolean)
}

/** The parts of a text that are this value. */
export function partsWith(text: string, value: string): Part[] {
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  if (at < 0 || value === '') return []
  const pieces = piecesOf(text)
  const place = pieces.findIndex((piece) => piece.toLowerCase() === value.toLowerCase())
  const ofPieces: Part[] =
    place < 0 || pieces.length < 2
      ? []
      : [
          { kind: 'piece', nth: place },
          { kind: 'piece', nth: place - pieces.length },
        ]
  return [...ofPieces, between(text, at, at + value.length)]
}

/** The tokens next to a part of a text; `^` and `$` are its beginning and end. */
function between(text: string, start: number, end: number): Part {
  const before = tokens(text.slice(0, start))
  const after = tokens(text.slice(end))
  return {
    kind: 'between',
    before: `${before.length <= mostTokens ? '^' : ''}${before.slice(-mostTokens).join('')}`,
    after: `${after.slice(0, mostTokens).join('')}${after.length <= mostTokens ? '$' : ''}`,
  }
}

const mostTokens = 3

const tokens = (text: string) =>
  (text.match(/\p{L}+|\d+|[^\p{L}\d]/gu) ?? []).map((token) => (/\d/.test(token) ? '0' : token))

const longest = 500

/** The text of a part; undefined where it is not there. */
export function textOfPart(part: Exclude<Part, { kind: 'number' }>, text: string): string | undefined {
  if (part.kind === 'whole') return text
  if (part.kind === 'piece') return part.nth === 'all' ? undefined : piecesOf(text).at(part.nth)
  const found = patternOf(part).exec(text.slice(0, longest))
  return found?.[1]?.trim() || undefined
}

function patternOf({ before, after }: Extract<Part, { kind: 'between' }>): RegExp {
  const starts = before.startsWith('^')
  const ends = after.endsWith('$')
  const left = literal(starts ? before.slice(1) : before)
  const right = literal(ends ? after.slice(0, -1) : after)
  return new RegExp(`${starts ? '^' : ''}${left}(.+?)${right}${ends ? '$' : ''}`, 'u')
}

/** Any number stands for a number. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('0', '\\d+')

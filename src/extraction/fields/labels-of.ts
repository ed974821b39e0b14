import { writtenUnit } from '../vocabulary/units.ts'
import { phraseOf, singular, words as wordsIn } from '../vocabulary/words.ts'
import type { Line } from './lines.ts'
import type { NamedField, PhraseIndex, SchemaField } from './schema-fields.ts'

const longestLabel = 5
const longestRunOn = 60

/** A field that a line names. */
export interface LabelMatch {
  slot: SchemaField
  weight: number
  /** What is left of the line; empty where it is the label alone. */
  rest: string
  side: 'colon' | 'piece' | 'front' | 'back' | 'by' | 'code'
}

type Add = (found: readonly NamedField[] | undefined, rest: string, side: LabelMatch['side']) => void

/** Which fields a line names, and what of it may be their values. */
export function labelsOf(line: Line, index: PhraseIndex): LabelMatch[] {
  const matches: LabelMatch[] = []
  const add: Add = (found, rest, side) => {
    for (const { slot, weight } of found ?? []) matches.push({ slot, weight, rest: rest.trim(), side })
  }
  const parts = joined(line.segments)
  if (isParted(parts)) for (const segment of parts) addSegment(segment, index, add)
  if (matches.length > 0) return matches
  // A label with a colon in an element of its own: what follows may be more than the value.
  if (/[:：]$/.test(line.segments[0] ?? '')) addPieces(line, index, add)
  if (matches.length > 0) return matches
  const isColon = addColon(line.text, index, add)
  if (matches.length > 0) return matches
  if (line.words.length <= longestLabel) add(index.get(phraseOf(line.words.map(singular))), '', 'piece')
  if (matches.length > 0) return matches
  addPieces(line, index, add)
  // What the other parts of the line say with numbers is said as well.
  if (matches.length > 0) {
    const told = matches.map(({ rest }) => rest)
    for (const segment of line.segments.slice(2)) if (!told.includes(segment)) addSegment(segment, index, add)
    return matches
  }
  const isOne = line.segments.length < 2
  if (isOne && line.text.length <= longestRunOn && !isColon) addRunOn(line.text, line.words, index, add)
  if (matches.length > 0) return matches
  if (line.segments.length > 1) for (const segment of line.segments) addSegment(segment, index, add)
  else if (line.text.length <= longestRunOn) add(residue(line.text, index), line.text, 'front')
  if (matches.length === 0 && isLabelLike(line.text, line.words))
    add(index.near(labelWords(line.text)), '', 'piece')
  return matches
}

/** A label and the value in the element behind it are one part of a line. */
function joined(segments: readonly string[]): string[] {
  const parts: string[] = []
  for (const segment of segments) {
    const last = parts.at(-1)
    if (last !== undefined && /[:：]$/.test(last)) parts[parts.length - 1] = `${last} ${segment}`
    else parts.push(segment)
  }
  return parts
}

/** Whether a line says several things with labels of their own. */
function isParted(segments: readonly string[]): boolean {
  return (
    segments.length > 1 && segments.filter((segment) => /^[^:：]{2,40}[:：]\s*\S/.test(segment)).length > 1
  )
}

function addColon(text: string, index: PhraseIndex, add: Add): boolean {
  const colon = text.search(/[:：]/)
  if (colon <= 0 || colon > 60) return false
  const [label, rest] = [labelWords(text.slice(0, colon)), text.slice(colon + 1)]
  if (label.length === 0 || label.length > longestLabel + 1) return false
  // A time of day has a colon as well.
  if (/\d$/.test(text.slice(0, colon)) && /^\d/.test(rest)) return false
  const exact = index.get(phraseOf(label))
  // "Recipe by: Ann": the last words before the colon may be the label.
  const found = exact ?? (label.length > 1 ? index.get(phraseOf(label.slice(1))) : undefined)
  if (found) add(found, rest, 'colon')
  else for (const words of alternatives(text.slice(0, colon))) add(either(words, index), rest, 'colon')
  return true
}

function either(label: readonly string[], index: PhraseIndex): readonly NamedField[] {
  return index.get(phraseOf(label)) ?? index.near(label)
}

/** "Deposit or shares" is a label of both. */
function alternatives(label: string): string[][] {
  const whole = labelWords(label)
  const parts = label.split(/\s(?:or|and|oder|und|o\.|u\.|ou|et|y|e|&)\s|\s?\/\s?/)
  return [whole, ...(parts.length === 2 ? parts.map(labelWords) : [])].filter(({ length }) => length > 0)
}

/** Labels in elements of their own, in front of their values or, of two parts, behind. */
function addPieces({ pieces, segments }: Line, index: PhraseIndex, add: Add): void {
  const parts = segments.length > 1 ? segments : pieces
  if (parts.length < 2 || parts.length > 12) return
  const known = parts.map((part) => {
    const label = labelWords(part)
    return label.length > 0 && label.length <= longestLabel ? index.get(phraseOf(label)) : undefined
  })
  for (const [at, found] of known.entries()) {
    if (!found || at + 1 >= parts.length || known[at + 1]) continue
    const next = known.findIndex((other, place) => place > at && other !== undefined)
    const rest = parts.slice(at + 1, next < 0 ? undefined : next)
    for (const named of found) add([named], isOne(named.slot) ? (rest[0] ?? '') : rest.join(', '), 'piece')
  }
  if (known.some((found, at) => found && at + 1 < parts.length)) return
  if (parts.length !== 2) return
  const [first = '', second = ''] = parts
  if (known[1]) add(known[1], first, 'piece')
  else if (isLabelLike(first, labelWords(first))) add(index.near(labelWords(first)), second, 'piece')
}

function isOne({ spec, names }: SchemaField): boolean {
  return spec.kind !== 'list' && (names.kind === 'name' || names.kind === 'code')
}

/** A label that runs into its value: "Posted 5 May 2026", "12 comments". */
function addRunOn(text: string, words: readonly string[], index: PhraseIndex, add: Add): void {
  const most = Math.min(longestLabel, words.length - 1)
  const front = firstOf(most, (size) => index.get(phraseOf(words.slice(0, size))))
  const behind = front ? afterWords(text, front.size) : ''
  // What goes on in small letters is the same label.
  const isValue = /\d/.test(behind) || /^[\s:–-]*[^\p{Ll}\s:–-]/u.test(behind)
  if (front && isValue) add(front.found, behind, 'front')
  if (!front || !isValue) addNearFront(text, index, add)
  const back = firstOf(most, (size) => index.get(phraseOf(words.slice(-size))))
  const counted = back ? countBefore(text, back.size) : ''
  if (back && counted !== '') add(back.found, counted, 'back')
}

const maker = /^(\p{L}{3,24}(?:\s\p{L}{3,24})?\s(?:by|von|par|por|da|door|av|af))\s+(\p{Lu}.{1,60})$/u

/** "Developed by Ann Lee", "Course no. K-2041": a label that is near, in front of a name or a code. */
function addNearFront(text: string, index: PhraseIndex, add: Add): void {
  const [, label, name] = maker.exec(text) ?? []
  if (label !== undefined && name !== undefined) add(either(labelWords(label), index), name, 'by')
  const [, before, code] =
    /^(\p{L}[\p{L} ]{2,30}?)[.:#]?\s+([A-Z]{0,4}[-/#]?\d[\w./-]{1,20})$/u.exec(text) ?? []
  if (before !== undefined && code !== undefined) add(either(labelWords(before), index), code, 'code')
}

function firstOf(
  most: number,
  find: (size: number) => readonly NamedField[] | undefined,
): { found: readonly NamedField[]; size: number } | undefined {
  for (let size = most; size > 0; size -= 1) {
    const found = find(size)
    if (found) return { found, size }
  }
  return undefined
}

/** One part of a line that says several things. */
function addSegment(segment: string, index: PhraseIndex, add: Add): void {
  if (segment.length > longestRunOn || addColon(segment, index, add)) return
  const words = wordsIn(segment)
  addRunOn(segment, words, index, add)
  add(residue(segment, index), segment, 'front')
}

const numbers = /\d[\d.,:'’/\u00A0\u202F-]*/g

/** What a short text with one number is about: the words that are left of "4 min read" or "Viewed 80 times". */
function residue(text: string, index: PhraseIndex): readonly NamedField[] {
  const found = text.match(numbers)
  if (!found || found.length > 1 || text.length > longestRunOn) return []
  const [before = '', behind = ''] = text.split(numbers)
  const unit = writtenUnit(behind.trim())
  const label = labelWords(`${before} ${unit ? behind.trim().replace(/^\S+/, '') : behind}`)
  return label.length === 0 || label.length > longestLabel ? [] : index.near(label)
}

/** Whether a line could be nothing but a label. */
function isLabelLike(text: string, words: readonly string[]): boolean {
  return words.length > 0 && words.length <= longestLabel && !/\d|[.!?,;]\s*$/.test(text)
}

/** Words as labels are compared, without what stands in brackets. */
export function labelWords(text: string): string[] {
  const bare = text.slice(0, 80).replace(/\([^()]{0,40}\)/g, ' ')
  return wordsIn(bare.trim() === '' ? text.slice(0, 80) : bare).map(singular)
}
function afterWords(text: string, count: number): string {
  let left = count
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    left -= 1
    if (left === 0) return text.slice(match.index + match[0].length)
  }
  return ''
}

const longestCount = 60

/** The number in front of the last words, with them: "4 portions" of "Ingredients for 4 portions". */
function countBefore(text: string, count: number): string {
  const all = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
  const label = all.at(-count)?.index ?? 0
  const [number] =
    /(?:\d[\d.,]*\s*(?:-|–|to|bis|à|a)\s*)?\d[\d.,]*\s*$/.exec(
      text.slice(Math.max(0, label - longestCount), label),
    ) ?? []
  return number === undefined ? '' : `${number.trim()} ${text.slice(label)}`
}

import { writtenUnit } from '../vocabulary/units.ts'
import { phraseOf, singular, words as wordsIn } from '../vocabulary/words.ts'
import type { Line } from './lines.ts'
import type { NamedField, PhraseIndex, SchemaField } from './schema-fields.ts'

const maxLabelWords = 5
const maxRunOnLength = 60

interface LabelMatch extends NamedField {
  /** Text of the line without the label; empty if the line consists of the label. */
  rest: string
  side: 'colon' | 'piece' | 'front' | 'back' | 'by' | 'code'
}

type Add = (found: readonly NamedField[] | undefined, rest: string, side: LabelMatch['side']) => void

export function labelsOf(line: Line, index: PhraseIndex): LabelMatch[] {
  const matches: LabelMatch[] = []
  const add: Add = (found, rest, side) => {
    for (const { field, weight } of found ?? []) matches.push({ field, weight, rest: rest.trim(), side })
  }
  const parts = joinLabels(line.segments)
  const hasSeveralLabels = parts.filter((part) => /^[^:：]{2,40}[:：]\s*\S/.test(part)).length > 1
  if (hasSeveralLabels) for (const segment of parts) addSegment(segment, index, add)
  if (matches.length > 0) return matches
  // After a label with a colon in its own element, the following text may contain more than the value.
  if (/[:：]$/.test(line.segments[0] ?? '')) addPieces(line, index, add)
  if (matches.length > 0) return matches
  const hasColonLabel = addColon(line.text, index, add)
  if (matches.length > 0) return matches
  if (line.words.length <= maxLabelWords) add(index.get(phraseOf(line.words.map(singular))), '', 'piece')
  if (matches.length > 0) return matches
  addPieces(line, index, add)
  if (matches.length > 0) {
    const matchedTexts = new Set(matches.map(({ rest }) => rest))
    for (const segment of line.segments.slice(2))
      if (!matchedTexts.has(segment)) addSegment(segment, index, add)
    return matches
  }
  if (line.segments.length > 1) for (const segment of line.segments) addSegment(segment, index, add)
  else if (line.text.length <= maxRunOnLength) {
    if (!hasColonLabel) addRunOn(line.text, line.words, index, add)
    if (matches.length === 0) add(matchRemainingWords(line.text, index), line.text, 'front')
  }
  if (matches.length === 0 && isLabelLike(line.text, line.words))
    add(index.near(labelWords(line.text)), '', 'piece')
  return matches
}

function joinLabels(segments: readonly string[]): string[] {
  const parts: string[] = []
  for (const segment of segments) {
    const last = parts.at(-1)
    if (last !== undefined && /[:：]$/.test(last)) parts[parts.length - 1] = `${last} ${segment}`
    else parts.push(segment)
  }
  return parts
}

function addColon(text: string, index: PhraseIndex, add: Add): boolean {
  const colon = text.search(/[:：]/)
  if (colon <= 0 || colon > 60) return false
  const [label, rest] = [labelWords(text.slice(0, colon)), text.slice(colon + 1)]
  if (label.length === 0 || label.length > maxLabelWords + 1) return false
  // The colon of a time of day is not a separator.
  if (/\d$/.test(text.slice(0, colon)) && /^\d/.test(rest)) return false
  const exact = index.get(phraseOf(label))
  // In "Recipe by: Ann", the last words before the colon may be the label.
  const found = exact ?? (label.length > 1 ? index.get(phraseOf(label.slice(1))) : undefined)
  if (found) add(found, rest, 'colon')
  else
    for (const words of alternatives(text.slice(0, colon))) add(findExactOrNear(words, index), rest, 'colon')
  return true
}

const findExactOrNear = (label: readonly string[], index: PhraseIndex) =>
  index.get(phraseOf(label)) ?? index.near(label)

function alternatives(label: string): string[][] {
  const parts = label.split(/\s(?:or|and|oder|und|o\.|u\.|ou|et|y|e|&)\s|\s?\/\s?/)
  return [label, ...(parts.length === 2 ? parts : [])].map(labelWords).filter(({ length }) => length > 0)
}

/** Matches labels in separate elements before their values, or after the value if the line has two parts. */
function addPieces({ pieces, segments }: Line, index: PhraseIndex, add: Add): void {
  const parts = segments.length > 1 ? segments : pieces
  if (parts.length < 2 || parts.length > 12) return
  const labelMatches = parts.map((part) => {
    const label = labelWords(part)
    return label.length > 0 && label.length <= maxLabelWords ? index.get(phraseOf(label)) : undefined
  })
  for (const [at, found] of labelMatches.entries()) {
    if (!found || at + 1 >= parts.length || labelMatches[at + 1]) continue
    const next = labelMatches.findIndex((other, position) => position > at && other !== undefined)
    const rest = parts.slice(at + 1, next < 0 ? undefined : next)
    for (const named of found)
      add([named], isSingleValue(named.field) ? (rest[0] ?? '') : rest.join(', '), 'piece')
  }
  const [first = '', second = ''] = parts
  if (parts.length !== 2 || labelMatches[0]) return
  if (labelMatches[1]) add(labelMatches[1], first, 'piece')
  else if (isLabelLike(first, labelWords(first))) add(index.near(labelWords(first)), second, 'piece')
}

const isSingleValue = ({ spec, names }: SchemaField) =>
  spec.kind !== 'list' && (names.kind === 'name' || names.kind === 'code')

/** Matches a label that is not separated from its value: "Posted 5 May 2026", "12 comments". */
function addRunOn(text: string, words: readonly string[], index: PhraseIndex, add: Add): void {
  const maxWords = Math.min(maxLabelWords, words.length - 1)
  const front = findLongest(maxWords, (size) => index.get(phraseOf(words.slice(0, size))))
  const valueText = front ? afterWords(text, front.size) : ''
  // A text in lower case continues the label, and is not a value.
  const isValue = /\d/.test(valueText) || /^[\s:–-]*[^\p{Ll}\s:–-]/u.test(valueText)
  if (front && isValue) add(front.found, valueText, 'front')
  if (!front || !isValue) addNearFront(text, index, add)
  const back = findLongest(maxWords, (size) => index.get(phraseOf(words.slice(-size))))
  const counted = back ? countBefore(text, back.size) : ''
  if (back && counted !== '') add(back.found, counted, 'back')
}

const labelPatterns = {
  by: /^(\p{L}{3,24}(?:\s\p{L}{3,24})?\s(?:by|von|par|por|da|door|av|af))\s+(\p{Lu}.{1,60})$/u,
  code: /^(\p{L}[\p{L} ]{2,30}?)[.:#]?\s+([A-Z]{0,4}[-/#]?\d[\w./-]{1,20})$/u,
}

/** Matches a similar label before a name or a code: "Developed by Ann Lee", "Course no. K-2041". */
function addNearFront(text: string, index: PhraseIndex, add: Add): void {
  for (const side of ['by', 'code'] as const) {
    const [, label, value] = labelPatterns[side].exec(text) ?? []
    if (label !== undefined && value !== undefined)
      add(findExactOrNear(labelWords(label), index), value, side)
  }
}

export function findLongest(maxWords: number, find: (size: number) => readonly NamedField[] | undefined) {
  for (let size = maxWords; size > 0; size -= 1) {
    const found = find(size)
    if (found) return { found, size }
  }
  return undefined
}

function addSegment(segment: string, index: PhraseIndex, add: Add): void {
  if (segment.length > maxRunOnLength || addColon(segment, index, add)) return
  addRunOn(segment, wordsIn(segment), index, add)
  add(matchRemainingWords(segment, index), segment, 'front')
}

const numbers = /\d[\d.,:'’/\u00A0\u202F-]*/g

/** Returns the fields that match the words around the number of a short text: "4 min read", "Viewed 80 times". */
function matchRemainingWords(text: string, index: PhraseIndex): readonly NamedField[] {
  const found = text.match(numbers)
  if (!found || found.length > 1 || text.length > maxRunOnLength) return []
  const [before = '', after = ''] = text.split(numbers)
  const unit = writtenUnit(after.trim())
  const label = labelWords(`${before} ${unit ? after.trim().replace(/^\S+/, '') : after}`)
  return label.length === 0 || label.length > maxLabelWords ? [] : index.near(label)
}

function isLabelLike(text: string, words: readonly string[]): boolean {
  return words.length > 0 && words.length <= maxLabelWords && !/\d|[.!?,;]\s*$/.test(text)
}

export function labelWords(text: string): string[] {
  const withoutBrackets = text.slice(0, 80).replace(/\([^()]{0,40}\)/g, ' ')
  return wordsIn(withoutBrackets.trim() === '' ? text.slice(0, 80) : withoutBrackets).map(singular)
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

function afterWords(text: string, count: number): string {
  const match = [...text.matchAll(wordPattern)][count - 1]
  return match ? text.slice(match.index + match[0].length) : ''
}

const maxCountLength = 60

/** Returns the last words of a text with the number before them: "4 portions" for "Ingredients for 4 portions". */
function countBefore(text: string, count: number): string {
  const label = [...text.matchAll(wordPattern)].at(-count)?.index ?? 0
  const before = text.slice(Math.max(0, label - maxCountLength), label)
  const [number] = /(?:\d[\d.,]*\s*(?:-|–|to|bis|à|a)\s*)?\d[\d.,]*\s*$/.exec(before) ?? []
  return number === undefined ? '' : `${number.trim()} ${text.slice(label)}`
}

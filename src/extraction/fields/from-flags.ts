import { namedChoice } from '../values/plain-value.ts'
import { singular, wordList, words } from '../vocabulary/words.ts'
import type { ExtractedValue, FieldReadings, ReaderInput } from './extracted-value.ts'
import type { Line } from './lines.ts'
import { normalizeWord, type SchemaField, wordSimilarity } from './schema-fields.ts'

const similarity = (one: string, other: string) =>
  Math.max(wordSimilarity(one, other), wordSimilarity(normalizeWord(one), normalizeWord(other)))

const minWeight = 0.6
const maxWords = 8
const maxLines = 3000
const score = { flag: 0.56, choice: 0.5 }
/** Shorter texts have too many matches. */
const minChoiceLength = 4
const maxChoiceLines = 120

/** Reads values that are complete line segments: "Remote", "Pets allowed", or "Diesel" for an enum field. */
export function* readFlags({ lines: { list }, fields, heading }: ReaderInput): FieldReadings {
  for (const field of fields)
    yield [field, field.spec.kind === 'boolean' ? flagOf(list, field) : choiceOf(list, field, heading)]
}

const booleanWords = wordList('flagForms')
const neutralWords = wordList('neutralWords')
const negations = wordList('negations')

function flagOf(list: readonly Line[], field: SchemaField): ExtractedValue | undefined {
  const keys = flagKeys(field)
  if (keys.length === 0) return undefined
  for (const line of list.slice(0, maxLines)) {
    if (line.weight < minWeight || line.isStruck) continue
    const shortSegments = line.segments.filter(({ length }) => length <= 80)
    for (const segment of shortSegments.flatMap((part) => part.split(/\s*[,;]\s*/))) {
      const value = readFlag(segment, keys, field.names.hints)
      if (value === undefined) continue
      return { value, text: segment, node: line.first, reader: 'label', score: score.flag * line.weight }
    }
  }
  return undefined
}

export function flagKeys({ names }: SchemaField): string[] {
  return names.own.filter((word) => !booleanWords.has(word))
}

/** Returns true if a short text contains only the field name, false if it negates the name, else undefined. */
export function readFlag(text: string, keys: readonly string[], hints: readonly string[] = []) {
  if (keys.length === 0 || text.length > 80 || /[?:]/.test(text)) return undefined
  const textWords = words(text).map(singular)
  if (hints.length > 0 && textWords.join(' ') === hints.join(' ')) return true
  if (textWords.length > maxWords || textWords.length < keys.length) return undefined
  if (!keys.every((key) => textWords.some((word) => similarity(word, key) > 0))) return undefined
  const isKey = (word: string) => keys.some((key) => similarity(word, key) > 0)
  const otherWords = textWords.filter(
    (word) => !booleanWords.has(word) && !neutralWords.has(word) && !isKey(word),
  )
  const negationCount = otherWords.filter((word) => negations.has(word)).length
  return otherWords.length > negationCount ? undefined : negationCount === 0 && !/[✗✘❌]/.test(text)
}

function choiceOf(list: readonly Line[], field: SchemaField, heading: number): ExtractedValue | undefined {
  const { spec } = field
  if (spec.kind === 'list' || spec.kind === 'boolean' || !spec.choices) return undefined
  const choices = spec.choices.filter((choice) => String(choice).length >= minChoiceLength)
  if (choices.length < spec.choices.length) return undefined
  let best: ExtractedValue | undefined
  for (const line of list.slice(Math.max(0, heading - 20), heading + maxChoiceLines)) {
    if (line.weight < minWeight || line.isStruck || line.level === 1) continue
    for (const segment of line.segments) {
      if (segment.length > 40 || words(segment).length > 4) continue
      const value = namedChoice(segment, choices)
      if (value === undefined) continue
      // If the page names two choices, neither describes the page subject.
      if (best && best.value !== value) return undefined
      best ??= { value, text: segment, node: line.first, reader: 'label', score: score.choice * line.weight }
    }
  }
  return best
}

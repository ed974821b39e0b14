import { namedChoice } from '../values/plain-value.ts'
import { singular, wordList, words } from '../vocabulary/words.ts'
import type { Found } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import { compared, type SchemaField, alike as same } from './schema-fields.ts'

/** Umlauts are written in two ways. */
const alike = (one: string, other: string) => Math.max(same(one, other), same(compared(one), compared(other)))

const minWeight = 0.6
const maxWords = 8
const maxLines = 3000
const score = { flag: 0.56, choice: 0.5 }
/** A choice of fewer letters is found everywhere. */
const shortestChoice = 4
/** Choices are looked for where the page says what it is about. */
const maxLinesOfChoice = 120

/** Values that stand alone: "Remote", "Pets allowed", "Diesel" for a field that may have only some values. */
export function readFlags(
  { list }: Lines,
  slots: readonly SchemaField[],
  heading: number,
): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  for (const slot of slots) {
    const value = slot.spec.kind === 'boolean' ? flagOf(list, slot) : choiceOf(list, slot, heading)
    if (value) found.set(slot, value)
  }
  return found
}

/** Words of a name that say only that it is a yes or a no. */
const forms = wordList('flagForms')
/** Words that change nothing where they stand beside the words of a name. */
const neutral = wordList('neutralWords')
const negations = wordList('negations')

function flagOf(list: readonly Line[], slot: SchemaField): Found | undefined {
  const keys = flagKeys(slot)
  if (keys.length === 0) return undefined
  for (const line of list.slice(0, maxLines)) {
    if (line.weight < minWeight || line.isStruck) continue
    for (const segment of line.segments.flatMap((part) =>
      part.length <= 80 ? part.split(/\s*[,;]\s*/) : [],
    )) {
      const value = saysFlag(segment, keys, slot.names.hints)
      if (value === undefined) continue
      return { value, text: segment, node: line.first, reader: 'label', score: score.flag * line.weight }
    }
  }
  return undefined
}

/** The words of the name of a yes or a no that say what it is about. */
export function flagKeys({ names }: SchemaField): string[] {
  return names.own.filter((word) => !forms.has(word))
}

/** Whether a short text says nothing but the name, or its contrary. */
export function saysFlag(
  text: string,
  keys: readonly string[],
  hints: readonly string[] = [],
): boolean | undefined {
  if (keys.length === 0 || text.length > 80 || /[?:]/.test(text)) return undefined
  const said = words(text).map(singular)
  if (hints.length > 0 && said.join(' ') === hints.join(' ')) return true
  if (said.length > maxWords || said.length < keys.length) return undefined
  if (!keys.every((key) => said.some((word) => alike(word, key) > 0))) return undefined
  const others = said.filter(
    (word) => !forms.has(word) && !neutral.has(word) && !keys.some((key) => alike(word, key) > 0),
  )
  const denials = others.filter((word) => negations.has(word)).length
  return others.length > denials ? undefined : denials === 0 && !/[✗✘❌]/.test(text)
}

function choiceOf(list: readonly Line[], slot: SchemaField, heading: number): Found | undefined {
  const { spec } = slot
  if (spec.kind === 'list' || spec.kind === 'boolean' || !spec.choices) return undefined
  const choices = spec.choices.filter((choice) => String(choice).length >= shortestChoice)
  if (choices.length < spec.choices.length) return undefined
  let best: Found | undefined
  for (const line of list.slice(Math.max(0, heading - 20), heading + maxLinesOfChoice)) {
    if (line.weight < minWeight || line.isStruck || line.level === 1) continue
    for (const segment of line.segments) {
      if (segment.length > 40 || words(segment).length > 4) continue
      const value = namedChoice(segment, choices)
      if (value === undefined) continue
      // Where the page names two of them, it says neither of itself.
      if (best && best.value !== value) return undefined
      best ??= { value, text: segment, node: line.first, reader: 'label', score: score.choice * line.weight }
    }
  }
  return best
}

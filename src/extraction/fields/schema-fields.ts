import type { FieldSpec, Label, ListSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'
import { singular, wordList } from '../vocabulary/words.ts'
import { type FieldNames, namesOf } from './field-names.ts'

export interface SchemaField {
  path: string
  spec: ValueSpec | (ListSpec & { item: ValueSpec })
  names: FieldNames
}

export function leafFieldsOf(spec: ObjectSpec, parent?: Label, parentPath = ''): SchemaField[] {
  return [...spec.fields].flatMap(([name, field]): SchemaField[] => {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    if (field.kind === 'object') return leafFieldsOf(field, field.label, path)
    return isLeafSpec(field) ? [{ path, spec: field, names: namesOf(field, parent) }] : []
  })
}

const isLeafSpec = (spec: FieldSpec): spec is SchemaField['spec'] =>
  spec.kind !== 'object' &&
  (spec.kind !== 'list' || (spec.item.kind !== 'object' && spec.item.kind !== 'list'))

export interface NamedField {
  field: SchemaField
  weight: number
}

export type PhraseIndex = ReturnType<typeof phraseIndex>

/** A label that is similar to two fields matches neither. */
const minLead = 0.04
const minSimilarity = 0.6
const nearFactor = 0.88
const maxWords = 6

export function phraseIndex(fields: readonly SchemaField[]) {
  const phraseEntries = fields.flatMap((field) =>
    [...field.names.phrases].map(([phrase, weight]) => ({ field, phrase, weight })),
  )
  const exact = Map.groupBy(phraseEntries, ({ phrase }) => phrase)
  for (const [phrase, group] of exact) {
    const minWeight = Math.max(...group.map(({ weight }) => weight)) - maxLag
    const named = group.filter(({ weight }) => weight >= minWeight)
    exact.set(phrase, named)
  }
  const nearCache = new Map<string, NamedField[]>()
  const fieldsByPrefix = groupByPrefix(fields)
  return {
    get: (phrase: string): readonly NamedField[] | undefined => exact.get(phrase),
    /** Returns the field whose name is most similar to the words of a label; empty if the match is ambiguous. */
    near(words: readonly string[]): readonly NamedField[] {
      const key = words.join(' ')
      const cached = nearCache.get(key)
      if (cached || nearCache.size >= maxLabels) return cached ?? []
      const matches = findNearest(fieldsByPrefix, words)
      nearCache.set(key, matches)
      return matches
    },
  }
}

/** Maximum distance to the highest weight: a phrase that names one field is not a partial name of another. */
const maxLag = 0.12

const maxLabels = 3000
const prefixOf = (word: string) => word.slice(0, 3)

/** Indexes fields by the prefixes of their words, so that a label is compared with few fields. */
function groupByPrefix(fields: readonly SchemaField[]): Map<string, Set<SchemaField>> {
  const groups = new Map<string, Set<SchemaField>>()
  for (const field of fields)
    for (const word of [...field.names.own, ...field.names.hints])
      groups.set(prefixOf(word), (groups.get(prefixOf(word)) ?? new Set()).add(field))
  return groups
}

function findNearest(fieldsByPrefix: Map<string, Set<SchemaField>>, words: readonly string[]): NamedField[] {
  if (words.length === 0 || words.length > maxWords) return []
  const fields = new Set(words.flatMap((word) => [...(fieldsByPrefix.get(prefixOf(word)) ?? [])]))
  const matches = [...fields]
    .map((field) => ({ field, weight: labelSimilarity(field.names, words) }))
    .sort((one, other) => other.weight - one.weight)
  const [first, second] = matches
  if (!first || first.weight < minSimilarity || (second && first.weight - second.weight < minLead)) return []
  return [{ field: first.field, weight: first.weight * nearFactor }]
}

/** A label that consists of such words is ambiguous. */
const generalWords = wordList('generalLabels')
const generalWeight = 0.35
const emptyWords = wordList('emptyWords')
const outerFactor = 0.7
const hintFactor = 0.75
const headFactor = 0.55
const sameStemScore = 0.88

/** Each label word that is not general must match a word of the name, the parent or the description. */
export function labelSimilarity(names: FieldNames, labelWords: readonly string[]): number {
  const label = labelWords.map(normalizeWord).filter((word) => !emptyWords.has(word))
  if (label.length === 0 || label.every((word) => generalWords.has(word))) return 0
  const own = names.own.map(normalizeWord)
  const outer = names.outer.map(normalizeWord)
  const hints = names.hints.map(normalizeWord)
  let [matched, total] = [0, 0]
  for (const word of label) {
    const weight = weightOf(word)
    const match = Math.max(
      maxSimilarity(word, own),
      maxSimilarity(word, outer) * outerFactor,
      maxSimilarity(word, hints) * hintFactor,
    )
    if (match === 0 && weight === 1) return 0
    matched += weight * match
    total += weight
  }
  const heads = names.heads.map(normalizeWord)
  const isHead = label.every((word) => heads.includes(word)) && label.length * 2 >= heads.length
  const covered = Math.max(coverage(own, label), coverage(hints, label) * hintFactor, isHead ? headFactor : 0)
  return covered < 0.5 ? 0 : (matched / total) * 0.5 + covered * 0.5
}

function coverage(nameWords: readonly string[], label: readonly string[]): number {
  let [matched, total] = [0, 0]
  for (const word of nameWords) {
    if (emptyWords.has(word)) continue
    const weight = weightOf(word)
    matched += weight * maxSimilarity(word, label)
    total += weight
  }
  return total === 0 ? 0 : matched / total
}

const weightOf = (word: string) => (generalWords.has(word) ? generalWeight : 1)

function maxSimilarity(word: string, candidates: readonly string[]): number {
  let max = 0
  for (const other of candidates) max = Math.max(max, wordSimilarity(word, other))
  return max
}

const numberWords = new Set(['no', 'nr', 'num', 'nummer', 'numero', 'numer'])

export function normalizeWord(word: string): string {
  if (numberWords.has(word)) return 'number'
  return singular(word)
    .replace(/([aou])e/g, '$1')
    .replace(/(?<=\p{L}{3})nr$/u, 'nummer')
}

const suffixes = new Set(
  ',e,s,es,ed,d,ing,er,ers,or,r,ion,ions,ation,ment,y,al,ly,en,n,em,te,t,ic,ity,ance,ence,able,ive,ry,red,ration,ered,ung,ungen,lich,ig'.split(
    ',',
  ),
)
const shortSuffixes = new Set(',e,s,ed,al,er,ing,n,en'.split(','))

export function wordSimilarity(one: string, other: string): number {
  if (one === other) return 1
  const minLength = Math.min(one.length, other.length)
  if (minLength < 4) return 0
  let shared = 0
  while (shared < minLength && one[shared] === other[shared]) shared += 1
  const [rest, otherRest] = [one.slice(shared), other.slice(shared)]
  if (shared >= 7 && shared >= minLength * 0.65 && Math.max(rest.length, otherRest.length) <= 5)
    return sameStemScore
  if (shared < 5 && (shared < 4 || minLength > 4)) return 0
  const allowed = shared >= 5 ? suffixes : shortSuffixes
  return allowed.has(rest) && allowed.has(otherRest) ? sameStemScore : 0
}

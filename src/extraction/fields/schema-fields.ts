import type { FieldSpec, Label, ListSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'
import { singular, wordList } from '../vocabulary/words.ts'
import { type FieldNames, namesOf } from './field-names.ts'

/** A field that is read from the page by itself: a value, or a list of values. */
export interface SchemaField {
  path: string
  spec: ValueSpec | (ListSpec & { item: ValueSpec })
  names: FieldNames
}

/** The fields of an object and of the objects inside it. */
export function leafFieldsOf(spec: ObjectSpec, around?: Label, at = ''): SchemaField[] {
  return [...spec.fields].flatMap(([name, field]): SchemaField[] => {
    const path = at === '' ? name : `${at}.${name}`
    if (field.kind === 'object') return leafFieldsOf(field, field.label, path)
    return isSlotSpec(field) ? [{ path, spec: field, names: namesOf(field, around) }] : []
  })
}

function isSlotSpec(spec: FieldSpec): spec is SchemaField['spec'] {
  return (
    spec.kind !== 'object' &&
    (spec.kind !== 'list' || (spec.item.kind !== 'object' && spec.item.kind !== 'list'))
  )
}

export interface NamedField {
  slot: SchemaField
  weight: number
}

/** Which slots a phrase may mean. */
export interface PhraseIndex {
  /** Those that have this name. */
  get(phrase: string): readonly NamedField[] | undefined
  /** The one that a label of these words must mean, though it has another name. */
  near(words: readonly string[]): readonly NamedField[]
}

/** A label that is near to two fields means neither. */
const minLead = 0.04
const minNearness = 0.6
const nearTrust = 0.88
const maxWords = 6

export function phraseIndex(slots: readonly SchemaField[]): PhraseIndex {
  const named = slots.flatMap((slot) =>
    [...slot.names.phrases].map(([phrase, weight]) => ({ slot, phrase, weight })),
  )
  const exact = Map.groupBy(named, ({ phrase }) => phrase)
  for (const [phrase, group] of exact) exact.set(phrase, best(group))
  const near = new Map<string, NamedField[]>()
  const byBeginning = beginnings(slots)
  return {
    get: (phrase) => exact.get(phrase),
    near(words) {
      const key = words.join(' ')
      const known = near.get(key)
      if (known || near.size >= maxLabels) return known ?? []
      const found = nearest(byBeginning, words)
      near.set(key, found)
      return found
    },
  }
}

/** A name that is that of one field is not half that of another. */
const maxLag = 0.12

function best<Named extends NamedField>(named: Named[]): Named[] {
  const most = Math.max(...named.map(({ weight }) => weight))
  return named.filter(({ weight }) => weight >= most - maxLag)
}

const maxLabels = 3000
const beginning = (word: string) => word.slice(0, 3)

/** Slots by how their words begin, so that a label is compared with few. */
function beginnings(slots: readonly SchemaField[]): Map<string, Set<SchemaField>> {
  const found = new Map<string, Set<SchemaField>>()
  for (const slot of slots)
    for (const word of [...slot.names.own, ...slot.names.hints])
      found.set(beginning(word), (found.get(beginning(word)) ?? new Set()).add(slot))
  return found
}

function nearest(byBeginning: Map<string, Set<SchemaField>>, words: readonly string[]): NamedField[] {
  if (words.length === 0 || words.length > maxWords) return []
  const slots = new Set(words.flatMap((word) => [...(byBeginning.get(beginning(word)) ?? [])]))
  const near = [...slots]
    .map((slot) => ({ slot, weight: nearness(slot.names, words) }))
    .sort((one, other) => other.weight - one.weight)
  const [first, second] = near
  if (!first || first.weight < minNearness) return []
  if (second && first.weight - second.weight < minLead) return []
  return [{ slot: first.slot, weight: first.weight * nearTrust }]
}

/** Words that many labels have: alone they say too little. */
const general = wordList('generalLabels')
const generalWeight = 0.35
/** Words that change nothing. */
const empty = wordList('emptyWords')
const ofOuter = 0.7
const ofHint = 0.75
const ofHead = 0.55
const likeWord = 0.88

/**
 * How surely a label means a field that has no such name: every word of it is one of the name, of the object around it or of
 * the description, and most of the name is there. 0 where a word of the label says something else.
 */
export function nearness(names: FieldNames, given: readonly string[]): number {
  const label = given.map(compared).filter((word) => !empty.has(word))
  if (label.length === 0 || label.every((word) => general.has(word))) return 0
  const [own, outer, hints] = [names.own, names.outer, names.hints].map((list) => list.map(compared))
  if (!own || !outer || !hints) return 0
  let [told, all] = [0, 0]
  for (const word of label) {
    const weight = weightOf(word)
    const match = Math.max(closest(word, own), closest(word, outer) * ofOuter, closest(word, hints) * ofHint)
    if (match === 0 && weight === 1) return 0
    told += weight * match
    all += weight
  }
  const heads = names.heads.map(compared)
  const isHead = label.every((word) => heads.includes(word)) && label.length * 2 >= heads.length
  const named = Math.max(coverage(own, label), coverage(hints, label) * ofHint, isHead ? ofHead : 0)
  return named < 0.5 ? 0 : (told / all) * 0.5 + named * 0.5
}

/** How much of these words a label has. */
function coverage(wanted: readonly string[], label: readonly string[]): number {
  let [met, all] = [0, 0]
  for (const word of wanted) {
    if (empty.has(word)) continue
    const weight = weightOf(word)
    met += weight * closest(word, label)
    all += weight
  }
  return all === 0 ? 0 : met / all
}

const weightOf = (word: string) => (general.has(word) ? generalWeight : 1)

function closest(word: string, among: readonly string[]): number {
  let most = 0
  for (const other of among) most = Math.max(most, alike(word, other))
  return most
}

const numbers = new Set(['no', 'nr', 'num', 'nummer', 'numero', 'numer'])

/** Umlauts are written in two ways. */
export function compared(word: string): string {
  if (numbers.has(word)) return 'number'
  return singular(word)
    .replace(/([aou])e/g, '$1')
    .replace(/(?<=\p{L}{3})nr$/u, 'nummer')
}

const endings = new Set(
  ',e,s,es,ed,d,ing,er,ers,or,r,ion,ions,ation,ment,y,al,ly,en,n,em,te,t,ic,ity,ance,ence,able,ive,ry,red,ration,ered,ung,ungen,lich,ig'.split(
    ',',
  ),
)
const shortEndings = new Set(',e,s,ed,al,er,ing,n,en'.split(','))

/** How alike two words are: the same, or of one stem. */
export function alike(one: string, other: string): number {
  if (one === other) return 1
  const least = Math.min(one.length, other.length)
  if (least < 4) return 0
  let shared = 0
  while (shared < least && one[shared] === other[shared]) shared += 1
  const [rest, otherRest] = [one.slice(shared), other.slice(shared)]
  if (shared >= 7 && shared >= least * 0.65 && Math.max(rest.length, otherRest.length) <= 5) return likeWord
  if (shared >= 5) return endings.has(rest) && endings.has(otherRest) ? likeWord : 0
  const isWhole = shared === 4 && least === 4
  return isWhole && shortEndings.has(rest) && shortEndings.has(otherRest) ? likeWord : 0
}

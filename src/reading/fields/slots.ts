import type { FieldSpec, Label, ListSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { nearness } from './near-names.ts'

/** A field that is read from the page by itself: a value, or a list of values. */
export interface Slot {
  path: string
  spec: ValueSpec | (ListSpec & { item: ValueSpec })
  names: FieldNames
}

/** The fields of an object and of the objects inside it. */
export function slotsOf(spec: ObjectSpec, parents: readonly Label[] = [], at = ''): Slot[] {
  return [...spec.fields].flatMap(([name, field]): Slot[] => {
    const path = at === '' ? name : `${at}.${name}`
    if (field.kind === 'object') return slotsOf(field, [...parents, field.label], path)
    return isSlotSpec(field) ? [{ path, spec: field, names: namesOf(field, parents) }] : []
  })
}

function isSlotSpec(spec: FieldSpec): spec is Slot['spec'] {
  return (
    spec.kind !== 'object' &&
    (spec.kind !== 'list' || (spec.item.kind !== 'object' && spec.item.kind !== 'list'))
  )
}

export interface NamedSlot {
  slot: Slot
  weight: number
}

/** Which slots a phrase may mean. */
export interface PhraseIndex {
  /** Those that have this name. */
  get(phrase: string): readonly NamedSlot[] | undefined
  /** The one that a label of these words must mean, though it has another name. */
  near(words: readonly string[]): readonly NamedSlot[]
}

/** A label that is near to two fields means neither. */
const leastLead = 0.04
const leastNearness = 0.6
const nearTrust = 0.88
const mostWords = 6

export function phraseIndex(slots: readonly Slot[]): PhraseIndex {
  const exact = new Map<string, NamedSlot[]>()
  for (const slot of slots) {
    for (const [phrase, weight] of slot.names.phrases) {
      const known = exact.get(phrase)
      if (known) known.push({ slot, weight })
      else exact.set(phrase, [{ slot, weight }])
    }
  }
  for (const [phrase, named] of exact) exact.set(phrase, best(named))
  const near = new Map<string, NamedSlot[]>()
  const byBeginning = beginnings(slots)
  return {
    get: (phrase) => exact.get(phrase),
    near(words) {
      const key = words.join(' ')
      const known = near.get(key)
      if (known || near.size >= mostLabels) return known ?? []
      const found = nearest(byBeginning, words)
      near.set(key, found)
      return found
    },
  }
}

/** A name that is that of one field is not half that of another. */
const mostBehind = 0.12

function best(named: NamedSlot[]): NamedSlot[] {
  const most = Math.max(...named.map(({ weight }) => weight))
  return named.filter(({ weight }) => weight >= most - mostBehind)
}

const mostLabels = 3000
const beginning = (word: string) => word.slice(0, 3)

/** Slots by how their words begin, so that a label is compared with few. */
function beginnings(slots: readonly Slot[]): Map<string, Set<Slot>> {
  const found = new Map<string, Set<Slot>>()
  for (const slot of slots) {
    for (const word of [...slot.names.own, ...slot.names.hints]) {
      const known = found.get(beginning(word))
      if (known) known.add(slot)
      else found.set(beginning(word), new Set([slot]))
    }
  }
  return found
}

function nearest(byBeginning: Map<string, Set<Slot>>, words: readonly string[]): NamedSlot[] {
  if (words.length === 0 || words.length > mostWords) return []
  const slots = new Set(words.flatMap((word) => [...(byBeginning.get(beginning(word)) ?? [])]))
  const near = [...slots]
    .map((slot) => ({ slot, weight: nearness(slot.names, words) }))
    .sort((one, other) => other.weight - one.weight)
  const [first, second] = near
  if (!first || first.weight < leastNearness) return []
  if (second && first.weight - second.weight < leastLead) return []
  return [{ slot: first.slot, weight: first.weight * nearTrust }]
}

import type { Label, ListWish, ObjectWish, ValueWish, Wish } from '../schema/wish.ts'
import { type FieldNames, namesOf } from './field-names.ts'

/** A field that is read from the page by itself: a value, or a list of values. */
export interface Slot {
  path: string
  wish: ValueWish | (ListWish & { item: ValueWish })
  names: FieldNames
}

/** The fields of an object and of the objects inside it. */
export function slotsOf(wish: ObjectWish, parents: readonly Label[] = [], at = ''): Slot[] {
  return [...wish.fields].flatMap(([name, field]): Slot[] => {
    const path = at === '' ? name : `${at}.${name}`
    if (field.kind === 'object') return slotsOf(field, [...parents, field.label], path)
    return isSlotWish(field) ? [{ path, wish: field, names: namesOf(field, parents) }] : []
  })
}

function isSlotWish(wish: Wish): wish is Slot['wish'] {
  return (
    wish.kind !== 'object' &&
    (wish.kind !== 'list' || (wish.item.kind !== 'object' && wish.item.kind !== 'list'))
  )
}

/** Which slots a phrase may mean. */
export type PhraseIndex = Map<string, { slot: Slot; weight: number }[]>

export function phraseIndex(slots: readonly Slot[]): PhraseIndex {
  const index: PhraseIndex = new Map()
  for (const slot of slots) {
    for (const [phrase, weight] of slot.names.phrases) {
      const known = index.get(phrase)
      if (known) known.push({ slot, weight })
      else index.set(phrase, [{ slot, weight }])
    }
  }
  return index
}

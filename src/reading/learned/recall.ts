import type { Found } from '../fields/found.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { Elements } from './elements.ts'
import {
  type FieldMemory,
  isUsable,
  type LearnedPlace,
  type LocatorKind,
  type Part,
  type Template,
} from './memory.ts'
import { fitsGuards, readPlace } from './read-place.ts'
import { comparableValue } from './same-value.ts'

/** What the places of a field say: a value, or that this page does not have it where pages alike do. */
export type Recalled = { found: Found; seen: number } | 'absent' | undefined

/** What says more of an element decides; what says less is asked only where nothing else is known. */
const order: LocatorKind[] = ['path', 'near', 'tags']
const parts: Part['kind'][][] = [['whole'], ['number', 'piece'], ['between']]

/** Undefined where too little is known. */
export function recall(
  elements: Elements,
  slot: Slot,
  { field, template }: { field: FieldMemory; template: Template },
  context: PageContext,
): Recalled {
  const known = field.places.filter((place) => isUsable(place, template))
  const [usable = []] = parts
    .map((kinds) => known.filter(({ part }) => kinds.includes(part.kind)))
    .filter((places) => places.length > 0)
  if (usable.length === 0) return undefined
  const read = (place: LearnedPlace): Value | undefined => {
    const at = readPlace(elements, place, slot, context)
    return at && fitsGuards(place.guards, at.guards) ? { found: at.found, seen: place.seen } : undefined
  }
  const kinds = Map.groupBy(usable, ({ locator }) => locator.by)
  const first = order.find((kind) => kinds.has(kind))
  const said = [kinds.get('label'), first && kinds.get(first)].flatMap((places = []) => {
    // What attributes state may be left out where the text is not.
    const [shown, stated] = [places.filter(isShown), places.filter((place) => !isShown(place))]
    return [...sayings(shown, read), ...sayings(stated, read)]
  })
  return agreed(said) ?? 'absent'
}

const isShown = ({ attribute }: LearnedPlace) => attribute === ''

type Value = Exclude<Recalled, 'absent' | undefined>

/** What the places that were right most often say; two ways to the same elements must lead to the same one. */
function sayings(places: LearnedPlace[], read: (place: LearnedPlace) => Value | undefined): Value[] {
  const most = Math.max(...places.map(({ seen }) => seen))
  const best = places.filter(({ seen }) => seen === most)
  const groups = Map.groupBy(best, ({ locator, attribute }) => `${locator.key} ${attribute}`)
  return [...groups.values()].flatMap((group) => agreed(group.map(read)) ?? [])
}

/** All say the same, or nothing is known. */
function agreed(values: (Value | undefined)[]): Value | undefined {
  const [first] = values
  const isSame = (value: Value | undefined) =>
    value && first && comparableValue(value.found.value) === comparableValue(first.found.value)
  return values.every(isSame) ? first : undefined
}

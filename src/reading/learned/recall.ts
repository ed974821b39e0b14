import type { Found } from '../fields/found.ts'
import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { Elements } from './elements.ts'
import { type FieldMemory, isUsable, type LocatorKind, type Place, type Template } from './memory.ts'
import { fitsGuards, readPlace } from './read-place.ts'
import { comparableValue } from './same-value.ts'

/** What the places of a field say: a value, or that this page does not have it where pages alike do. */
export type Recalled = { found: Found; seen: number } | 'absent' | undefined

/** What says more of an element decides; what says less is asked only where nothing else is known. */
const order: LocatorKind[] = ['path', 'near', 'tags']

/** Undefined where too little is known. */
export function recall(
  elements: Elements,
  slot: Slot,
  { field, template }: { field: FieldMemory; template: Template },
  context: PageContext,
): Recalled {
  const usable = field.places.filter((place) => isUsable(place, template))
  if (usable.length === 0) return undefined
  const read = (places: Place[]) => together(elements, places, slot, context)
  const kinds = Map.groupBy(usable, ({ locator }) => locator.by)
  const byLabel = kinds.has('label') ? read(best(kinds.get('label'))) : 'absent'
  const first = order.find((kind) => kinds.has(kind))
  const byPlace = first ? read(best(kinds.get(first))) : 'absent'
  if (byLabel === 'absent') return byPlace
  if (byPlace === 'absent') return byLabel
  return comparableValue(byLabel.found.value) === comparableValue(byPlace.found.value) ? byPlace : 'absent'
}

/** Those that were right most often. */
function best(places: Place[] = []): Place[] {
  const most = Math.max(...places.map(({ seen }) => seen))
  return places.filter(({ seen }) => seen === most)
}

/** Places that were right as often must say the same: where one is empty or differs, the page is built another way. */
function together(
  elements: Elements,
  places: Place[],
  slot: Slot,
  context: PageContext,
): Exclude<Recalled, undefined> {
  let agreed: { found: Found; seen: number } | undefined
  for (const place of places) {
    const read = readPlace(elements, place, slot, context)
    if (!read || !fitsGuards(place.guards, read.guards)) return 'absent'
    const { found } = read
    if (agreed && comparableValue(agreed.found.value) !== comparableValue(found.value)) return 'absent'
    agreed ??= { found, seen: place.seen }
  }
  return agreed ?? 'absent'
}

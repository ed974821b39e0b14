import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'
import type { StateItems } from '../structured-data/embedded-state.ts'
import { isStructuredItem, type StructuredItem } from '../structured-data/structured-item.ts'
import { nameWords, phraseOf, singular, wordList, words } from '../vocabulary/words.ts'
import type { Found, PageContext } from './extracted-value.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { fieldOfItem, type ItemPosition, type ItemSource } from './from-items.ts'
import type { Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { isShown, type ShownValues, shownText } from './shown-text.ts'
import { commonConcepts, mainHeading } from './subject.ts'

const maxItemsOfKind = 80
const holders = ['mainEntity', 'mainEntityOfPage', 'itemReviewed', 'about', 'item']
/** What nearly every thing has says little about which one is meant. */
const commonWeight = 0.3
/** Parts of a page and of its site, which have names and pictures as well. */
const furniture = wordList('partTypes')
const furnitureTrust = 0.55

/** Things of a page by how much they say of what is asked for, best first. */
export function rankItems(
  sources: readonly ItemSource[],
  spec: ObjectSpec,
  page: PageContext,
): ItemPosition[] {
  const wanted = [...spec.fields.values()].map((field) => ({ field, names: namesOf(field, spec.label) }))
  const places = sources.flatMap(({ reader, things, trust }) =>
    reachable(things).map(
      (thing): ItemPosition => ({ thing, path: thing.types[0] ?? 'thing', reader, trust, page }),
    ),
  )
  return places
    .slice(0, maxItemsOfKind)
    .map((place) => {
      const { sum, special } = fitOf(place, wanted)
      const isFurniture = special === 0 && place.thing.types.some((type) => furniture.has(type))
      const trusted = isFurniture ? { ...place, trust: place.trust * furnitureTrust } : place
      return { place: trusted, fit: isFurniture ? sum * furnitureTrust : sum }
    })
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ place }) => place)
}

function fitOf(
  place: ItemPosition,
  wanted: readonly { field: FieldSpec; names: FieldNames }[],
): { sum: number; special: number } {
  let [sum, special] = [0, 0]
  for (const { field, names } of wanted) {
    const found = fieldOfItem(place, field, names)
    if (!found) continue
    const isCommon = commonConcepts.has(names.concept ?? '')
    sum += found.score * (isCommon ? commonWeight : 1)
    special += isCommon ? 0 : 1
  }
  return { sum, special }
}

/** The outermost things and those that they are said to be about. */
function reachable(things: readonly StructuredItem[]): StructuredItem[] {
  const found = new Set<StructuredItem>(things)
  for (const thing of found) {
    if (found.size > maxItemsOfKind) break
    for (const name of holders)
      for (const value of thing.properties.get(name) ?? []) if (isStructuredItem(value)) found.add(value)
  }
  return [...found]
}

const trust = 0.86
/** What the page does not show may belong to something else in its state. */
const unshownTrust = 0.62
const minNamed = 2

/** The object in the state of a page that it is about: one whose name is the title, with most of what is asked for. */
export function mainState(
  { state, context, lines }: { state: StateItems; context: PageContext; lines: Lines },
  spec: ObjectSpec,
  slots: readonly SchemaField[],
): ItemPosition | undefined {
  const node = state.things.length === 0 ? undefined : mainHeading(lines, context.title)
  const heading = node === undefined ? '' : words(shownText(lines.tree, node)).join(' ')
  if (heading === '') return undefined
  const phrases = new Set(slots.flatMap(({ names }) => [...names.phrases.keys()]))
  let best: { thing: StructuredItem; named: number } | undefined
  for (const thing of state.things) {
    const named = isNamedIn(thing, phrases)
    if (named < Math.min(minNamed, spec.fields.size) || (best && named <= best.named)) continue
    if (isSubject(thing, heading)) best = { thing, named }
  }
  return (
    best && { thing: best.thing, path: best.thing.types[0] ?? 'state', reader: 'state', trust, page: context }
  )
}

/** How many of its properties have a name that is asked for, those of inner objects too. */
export function isNamedIn(thing: StructuredItem, phrases: ReadonlySet<string>, depth = 0): number {
  let named = 0
  for (const [name, values] of thing.properties) {
    if (phrases.has(phraseOf(nameWords(name).map(singular)))) named += 1
    const [first] = values
    if (depth === 0 && values.length === 1 && first !== undefined && isStructuredItem(first))
      named += isNamedIn(first, phrases, 1) * 0.5
  }
  return named
}

/** Whether one of its texts is the heading of the page. */
function isSubject(thing: StructuredItem, heading: string): boolean {
  for (const values of thing.properties.values())
    for (const value of values)
      if (typeof value === 'string' && value.length < 300 && words(value).join(' ') === heading) return true
  return false
}

/** A value of the state as far as the page bears it out; amounts in cents are those that it shows. */
export function grounded(found: Found, shown: () => ShownValues): Found {
  const { value } = found
  if (found.inner || Array.isArray(value)) return found
  const isOnPage = isShown(value, shown())
  if (isOnPage !== false) return found
  const isAmount = typeof value === 'number' && /price|amount|cost|fee/i.test(found.path ?? '')
  if (isAmount && Number.isInteger(value) && isShown(value / 100, shown()))
    return { ...found, value: value / 100 }
  return { ...found, score: found.score * unshownTrust }
}

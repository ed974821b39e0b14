import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'
import { isThing, type Thing } from '../structured-data/thing.ts'
import { wordList } from '../vocabulary/word-lists.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { fieldOfThing, type ThingPlace, type ThingSource } from './from-things.ts'
import type { PageContext } from './page-context.ts'
import { commonConcepts } from './subject.ts'

const mostThings = 80
const holders = ['mainEntity', 'mainEntityOfPage', 'itemReviewed', 'about', 'item']
/** What nearly every thing has says little about which one is meant. */
const commonWeight = 0.3
/** Parts of a page and of its site, which have names and pictures as well. */
const furniture = wordList('partTypes')
const furnitureTrust = 0.55

/** Things of a page by how much they say of what is asked for, best first. */
export function thingsByFit(
  sources: readonly ThingSource[],
  spec: ObjectSpec,
  page: PageContext,
): ThingPlace[] {
  const wanted = [...spec.fields.values()].map((field) => ({ field, names: namesOf(field, [spec.label]) }))
  const places = sources.flatMap(({ reader, things, trust }) =>
    reachable(things).map(
      (thing): ThingPlace => ({ thing, path: thing.types[0] ?? 'thing', reader, trust, page }),
    ),
  )
  return places
    .slice(0, mostThings)
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
  place: ThingPlace,
  wanted: readonly { field: FieldSpec; names: FieldNames }[],
): { sum: number; special: number } {
  let [sum, special] = [0, 0]
  for (const { field, names } of wanted) {
    const found = fieldOfThing(place, field, names)
    if (!found) continue
    const isCommon = commonConcepts.has(names.concept ?? '')
    sum += found.score * (isCommon ? commonWeight : 1)
    special += isCommon ? 0 : 1
  }
  return { sum, special }
}

/** The outermost things and those that they are said to be about. */
function reachable(things: readonly Thing[]): Thing[] {
  const found = new Set<Thing>(things)
  for (const thing of found) {
    if (found.size > mostThings) break
    for (const name of holders)
      for (const value of thing.properties.get(name) ?? []) if (isThing(value)) found.add(value)
  }
  return [...found]
}

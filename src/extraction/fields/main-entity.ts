import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'
import type { StateItems } from '../structured-data/embedded-state.ts'
import { isStructuredItem, type StructuredItem } from '../structured-data/structured-item.ts'
import { nameWords, phraseOf, singular, wordList, words } from '../vocabulary/words.ts'
import type { ExtractedValue, PageContext } from './extracted-value.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { fieldOfItem, type ItemPosition, type ItemSource } from './from-items.ts'
import type { Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { isShown, type ShownValues, shownText } from './shown-text.ts'
import { commonConcepts, mainHeading } from './subject.ts'

const maxItemsOfKind = 80
const subjectProperties = ['mainEntity', 'mainEntityOfPage', 'itemReviewed', 'about', 'item']
/** Weight of common concepts: nearly every item has them, so they rarely identify the requested item. */
const commonWeight = 0.3
/** Types of parts of a page or of its site, which have names and images too. */
const partTypes = wordList('partTypes')
const partTrust = 0.55

/** Ranks the items of a page by the requested fields they contain, best first. */
export function rankItems(
  sources: readonly ItemSource[],
  spec: ObjectSpec,
  page: PageContext,
): ItemPosition[] {
  const requestedFields = [...spec.fields.values()].map((field) => ({
    field,
    names: namesOf(field, spec.label),
  }))
  const positions = sources.flatMap(({ reader, entities: items, trust }) =>
    withSubjectItems(items).map(
      (item): ItemPosition => ({ entity: item, path: item.types[0] ?? 'thing', reader, trust, page }),
    ),
  )
  return positions
    .slice(0, maxItemsOfKind)
    .map((position) => {
      const { sum, special } = scoreItem(position, requestedFields)
      const isPagePart = special === 0 && position.entity.types.some((type) => partTypes.has(type))
      const adjusted = isPagePart ? { ...position, trust: position.trust * partTrust } : position
      return { place: adjusted, fit: isPagePart ? sum * partTrust : sum }
    })
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ place: position }) => position)
}

function scoreItem(
  position: ItemPosition,
  requestedFields: readonly { field: FieldSpec; names: FieldNames }[],
): { sum: number; special: number } {
  let [sum, special] = [0, 0]
  for (const { field, names } of requestedFields) {
    const found = fieldOfItem(position, field, names)
    if (!found) continue
    const isCommon = commonConcepts.has(names.concept ?? '')
    sum += found.score * (isCommon ? commonWeight : 1)
    special += isCommon ? 0 : 1
  }
  return { sum, special }
}

/** Returns the outermost items, and the items that these are about. */
function withSubjectItems(items: readonly StructuredItem[]): StructuredItem[] {
  const found = new Set<StructuredItem>(items)
  for (const item of found) {
    if (found.size > maxItemsOfKind) break
    for (const name of subjectProperties)
      for (const value of item.properties.get(name) ?? []) if (isStructuredItem(value)) found.add(value)
  }
  return [...found]
}

const trust = 0.86
/** Trust factor for state values that the page does not show; they may belong to another object in the state. */
const unshownTrust = 0.62
const minNamed = 2

/** Returns the state object that the page is about: its name is the page heading, and it has most requested fields. */
export function mainState(
  { state, context, lines }: { state: StateItems; context: PageContext; lines: Lines },
  spec: ObjectSpec,
  fields: readonly SchemaField[],
): ItemPosition | undefined {
  const node = state.entities.length === 0 ? undefined : mainHeading(lines, context.title)
  const heading = node === undefined ? '' : words(shownText(lines.tree, node)).join(' ')
  if (heading === '') return undefined
  const phrases = new Set(fields.flatMap(({ names }) => [...names.phrases.keys()]))
  let best: { entity: StructuredItem; named: number } | undefined
  for (const item of state.entities) {
    const matchCount = isNamedIn(item, phrases)
    if (matchCount < Math.min(minNamed, spec.fields.size) || (best && matchCount <= best.named)) continue
    if (isSubject(item, heading)) best = { entity: item, named: matchCount }
  }
  return (
    best && { entity: best.entity, path: best.entity.types[0] ?? 'state', reader: 'state', trust, page: context }
  )
}

/** Returns the number of properties with a requested name. A property of a nested object counts 0.5. */
export function isNamedIn(item: StructuredItem, phrases: ReadonlySet<string>, depth = 0): number {
  let matchCount = 0
  for (const [name, values] of item.properties) {
    if (phrases.has(phraseOf(nameWords(name).map(singular)))) matchCount += 1
    const [first] = values
    if (depth === 0 && values.length === 1 && first !== undefined && isStructuredItem(first))
      matchCount += isNamedIn(first, phrases, 1) * 0.5
  }
  return matchCount
}

/** True if one of the texts of the item is the page heading. */
function isSubject(item: StructuredItem, heading: string): boolean {
  for (const values of item.properties.values())
    for (const value of values)
      if (typeof value === 'string' && value.length < 300 && words(value).join(' ') === heading) return true
  return false
}

/** Lowers the score of a state value that the page does not show. An amount in cents is divided by 100 if the page shows that. */
export function grounded(found: ExtractedValue, shown: () => ShownValues): ExtractedValue {
  const { value } = found
  if (found.inner || Array.isArray(value)) return found
  const isOnPage = isShown(value, shown())
  if (isOnPage !== false) return found
  const isAmount = typeof value === 'number' && /price|amount|cost|fee/i.test(found.path ?? '')
  if (isAmount && Number.isInteger(value) && isShown(value / 100, shown()))
    return { ...found, value: value / 100 }
  return { ...found, score: found.score * unshownTrust }
}

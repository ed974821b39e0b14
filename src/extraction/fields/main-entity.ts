import type { FieldSpec, ObjectSpec } from '../schema/field-spec.ts'
import type { StateItems } from '../structured-data/embedded-state.ts'
import { isStructuredItem, type StructuredItem, type Value } from '../structured-data/structured-item.ts'
import { nameWords, phraseOf, singular, wordList, words } from '../vocabulary/words.ts'
import type { ExtractedValue, PageContext } from './extracted-value.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { type EntitySource, fieldOfItem, type SourceItem } from './from-items.ts'
import type { Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'
import { isShown, type ShownValues, shownText } from './shown-text.ts'
import { commonConcepts, mainHeading } from './subject.ts'

const maxItemsOfKind = 80
const subjectProperties = ['mainEntity', 'mainEntityOfPage', 'itemReviewed', 'about', 'item']
/** Nearly every item has common concepts, so they rarely identify the requested item. */
const commonWeight = 0.3
/** Types of items about a part of the page or its site. */
const partTypes = wordList('partTypes')
const partTrust = 0.55

export function rankItems(
  sources: readonly EntitySource[],
  spec: ObjectSpec,
  page: PageContext,
): SourceItem[] {
  const fields = [...spec.fields.values()].map((field) => ({ field, names: namesOf(field, spec.label) }))
  return sources
    .flatMap(({ entities, ...source }) => withSubjectItems(entities).map((entity) => ({ ...source, entity })))
    .slice(0, maxItemsOfKind)
    .map((source) => {
      const sourceItem = { ...source, path: source.entity.types[0] ?? 'thing', page }
      const { sum, special } = scoreItem(sourceItem, fields)
      const isPagePart = special === 0 && sourceItem.entity.types.some((type) => partTypes.has(type))
      const factor = isPagePart ? partTrust : 1
      return { sourceItem: { ...sourceItem, trust: sourceItem.trust * factor }, fit: sum * factor }
    })
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ sourceItem }) => sourceItem)
}

function scoreItem(sourceItem: SourceItem, fields: readonly { field: FieldSpec; names: FieldNames }[]) {
  let [sum, special] = [0, 0]
  for (const { field, names } of fields) {
    const found = fieldOfItem(sourceItem, field, names)
    if (!found) continue
    const isCommon = commonConcepts.has(names.concept ?? '')
    sum += found.score * (isCommon ? commonWeight : 1)
    special += isCommon ? 0 : 1
  }
  return { sum, special }
}

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
/** A state value that the page does not show may belong to another object in the state. */
const unshownTrust = 0.62
const minNamed = 2

export function mainState(
  { state, context, lines }: { state: StateItems; context: PageContext; lines: Lines },
  spec: ObjectSpec,
  fields: readonly SchemaField[],
): SourceItem | undefined {
  const node = state.entities.length === 0 ? undefined : mainHeading(lines, context.title)
  const heading = node === undefined ? '' : words(shownText(lines.tree, node)).join(' ')
  if (heading === '') return undefined
  const phrases = new Set(fields.flatMap(({ names }) => [...names.phrases.keys()]))
  const minCount = Math.min(minNamed, spec.fields.size)
  let best: StructuredItem | undefined
  let bestCount = -1
  for (const item of state.entities) {
    const count = countNamedProperties(item, phrases)
    if (count >= minCount && count > bestCount && isSubject(item, heading)) [best, bestCount] = [item, count]
  }
  return best && { entity: best, path: best.types[0] ?? 'state', reader: 'state', trust, page: context }
}

/** Returns the number of properties with a requested name. A property of a nested object counts 0.5. */
export function countNamedProperties(item: StructuredItem, phrases: ReadonlySet<string>, depth = 0): number {
  let matchCount = 0
  for (const [name, values] of item.properties) {
    if (phrases.has(phraseOf(nameWords(name).map(singular)))) matchCount += 1
    const [first] = values
    if (depth === 0 && values.length === 1 && first !== undefined && isStructuredItem(first))
      matchCount += countNamedProperties(first, phrases, 1) * 0.5
  }
  return matchCount
}

function isSubject(item: StructuredItem, heading: string): boolean {
  const isHeading = (value: Value) =>
    typeof value === 'string' && value.length < 300 && words(value).join(' ') === heading
  return [...item.properties.values()].some((values) => values.some(isHeading))
}

/** Lowers the score of an unshown state value. An amount in cents is converted if the page shows the result. */
export function lowerIfUnshown(found: ExtractedValue, shown: () => ShownValues): ExtractedValue {
  const { value } = found
  if (found.inner || Array.isArray(value) || isShown(value, shown()) !== false) return found
  const isAmount = typeof value === 'number' && /price|amount|cost|fee/i.test(found.path ?? '')
  if (isAmount && Number.isInteger(value) && isShown(value / 100, shown()))
    return { ...found, value: value / 100 }
  return { ...found, score: found.score * unshownTrust }
}

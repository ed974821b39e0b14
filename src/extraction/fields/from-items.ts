import type { FieldSpec, ListSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'
import { isStructuredItem, type StructuredItem, type Value } from '../structured-data/structured-item.ts'
import { coerce } from '../values/coerce.ts'
import { plainText } from '../values/plain-value.ts'
import { nameWords, phraseOf, singular, words } from '../vocabulary/words.ts'
import type { ExtractedValue, ExtractorName, MaybeValue, PageContext } from './extracted-value.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { labelSimilarity } from './schema-fields.ts'

export interface EntitySource {
  reader: ExtractorName
  entities: readonly StructuredItem[]
  trust: number
}

const minScore = 0.5

export interface SourceItem extends Omit<EntitySource, 'entities'> {
  entity: StructuredItem
  path: string
  page: PageContext
}

export function fieldOfItem(sourceItem: SourceItem, spec: FieldSpec, names: FieldNames): MaybeValue {
  let best: ExtractedValue | undefined
  for (const { path, values, score, isTypeSpecific } of candidates(sourceItem, names)) {
    // A property that only this item type has is reliable, even if the item has few other properties.
    const confidence = score * (isTypeSpecific ? 1 : sourceItem.trust)
    if (best && best.score >= confidence) continue
    const found = readValues({ ...sourceItem, path }, spec, names, values)
    if (found) best = { ...found, score: confidence }
  }
  return best
}

function candidates({ entity: item, path: itemPath }: SourceItem, names: FieldNames): Candidate[] {
  const found: Candidate[] = []
  for (const [path, score] of names.paths) {
    const [type, properties = type] = path.split(':')
    if (type !== properties && !item.types.includes(type ?? '')) continue
    const values = valuesAt(item, (properties ?? '').split('.'))
    found.push({ path: `${itemPath}.${path}`, values, score, isTypeSpecific: type !== properties })
  }
  for (const [name, values] of item.properties) {
    const score = nameSimilarity(names, item, name)
    if (score >= minScore) found.push({ path: `${itemPath}.${name}`, values, score, isTypeSpecific: false })
  }
  found.push(...namedValues(item, itemPath, names), ...sameAsCandidates(item, itemPath, names))
  return found.filter(({ values }) => values.length > 0).sort((one, other) => other.score - one.score)
}

function valuesAt(item: StructuredItem, [first = '', ...rest]: string[]): Value[] {
  const values = item.properties.get(first) ?? []
  if (rest.length === 0) return values
  return values.flatMap((value) => (isStructuredItem(value) ? valuesAt(value, rest) : []))
}

function nameSimilarity(names: FieldNames, item: Pick<StructuredItem, 'types'>, property: string): number {
  const words = nameWords(property).map(singular)
  const types = new Set(item.types.flatMap((type) => nameWords(type).map(singular)))
  const bareWords = words.filter((word) => !types.has(word))
  const [fullPhrase, barePhrase] = [phraseOf(words), phraseOf(bareWords)]
  const known = Math.max(names.phrases.get(fullPhrase) ?? 0, (names.phrases.get(barePhrase) ?? 0) * 0.95)
  // All names of a known concept are listed, so partly shared words are not evidence.
  if (known > 0 || names.concept !== undefined) return known
  const joined = names.own.join('')
  // `checkIn` may be called `checkinTime`.
  if (joined.length > 4 && [words, words.slice(0, -1)].some((part) => part.join('') === joined)) return 0.8
  const own = new Set(names.own)
  const shared = words.filter((word) => own.has(word)).length
  return shared === 0 ? 0 : ((2 * shared) / (own.size + words.length)) * 0.8
}

function readValues(sourceItem: SourceItem, spec: FieldSpec, names: FieldNames, values: Value[]): MaybeValue {
  if (spec.kind === 'list') return readList(sourceItem, spec, names, values)
  if (spec.kind !== 'object') return readValue(sourceItem, spec, names, values)
  for (const entity of values.filter(isStructuredItem)) {
    const found = objectOf({ ...sourceItem, entity }, spec)
    if (found) return found
  }
  return undefined
}

const maxEntries = 2000

function readList(sourceItem: SourceItem, spec: ListSpec, names: FieldNames, values: Value[]): MaybeValue {
  const { item } = spec
  const inner = new Map<string, ExtractedValue>()
  const parts = item.kind === 'object' ? flatEntries(values) : textEntries(values, names)
  for (const part of parts.slice(0, Math.min(spec.maxItems, maxEntries))) {
    const path = `${sourceItem.path}[${inner.size}]`
    const found = readValues({ ...sourceItem, path }, item, names, [part])
    // Skip entries without letters or digits, which may be left over from serialized data in an attribute.
    const isSymbol = typeof found?.value === 'string' && !/[\p{L}\p{N}]/u.test(found.value)
    if (found && !isSymbol) inner.set(`[${inner.size}]`, found)
  }
  if (inner.size === 0) return undefined
  const found = [...inner.values()]
  const text = found.map((entry) => entry.text).join('\n')
  return { ...sourceItem, value: found.map(({ value }) => value), text: text.slice(0, 2000), inner, score: 1 }
}

function flatEntries(values: Value[]): Value[] {
  return values.flatMap((value) => {
    if (!isStructuredItem(value)) return [value]
    const inner = value.properties.get('itemListElement')
    if (inner) return flatEntries(inner)
    const item = value.properties.get('item')?.filter(isStructuredItem)
    return item && item.length > 0 && value.types.includes('ListItem') ? item : [value]
  })
}

function textEntries(values: Value[], names: FieldNames): Value[] {
  const flat = values.flatMap((value): Value[] => {
    if (!isStructuredItem(value)) return [value]
    const steps = value.types.includes('HowToSection') ? value.properties.get('steps') : undefined
    const inner = value.properties.get('itemListElement') ?? steps
    return inner ? textEntries(inner, names) : [value]
  })
  const [only] = flat
  if (flat.length !== 1 || typeof only !== 'string') return flat
  return splitText(only, names)
}

/** Splits a text into list entries: by line, or by commas, semicolons or | if the entries are short. */
export function splitText(text: string, { kind, concept }: FieldNames): string[] {
  const lines = text
    .replace(/<\/(?:p|li|div)>|<br\s*\/?>/gi, '\n')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => plainText(line) !== undefined)
  if (lines.length > 1) return lines
  const [first = ''] = lines
  const areWords = concept === 'keywords' || kind === undefined || ['name', 'text', 'code'].includes(kind)
  const authorNames = concept === 'author' ? first.split(/\s*,\s*|\s+(?:and|und|et|y|og|och|&)\s+/) : []
  const parts = (authorNames.length > 1 ? authorNames : first.split(/\s*[,;|]\s*/)).filter(Boolean)
  // Quantities in one line: "2 eggs, 100 g flour".
  const counted = parts.filter((part) => /^[\d¼½¾⅓⅔]/.test(part)).length
  if (kind === 'steps') return counted > 3 && counted * 2 > parts.length ? parts : lines
  return areWords && parts.length > 1 && parts.every((part) => part.length <= 40) ? parts : lines
}

export function objectOf(sourceItem: SourceItem, spec: ObjectSpec): MaybeValue {
  const parts = [...spec.fields].flatMap(([name, field]): [string, ExtractedValue][] => {
    const found = fieldOfItem(sourceItem, field, namesOf(field, spec.label))
    return found ? [[name, found]] : []
  })
  if (parts.length === 0) return undefined
  const value = Object.fromEntries(parts.map(([name, found]) => [name, found.value]))
  return { ...sourceItem, value, text: '', inner: new Map(parts), score: sourceItem.trust }
}

/** Defines an own property with any name, including `__proto__`. */
export function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function readValue(sourceItem: SourceItem, spec: ValueSpec, names: FieldNames, values: Value[]): MaybeValue {
  const { page, path, reader } = sourceItem
  const context = { ...page, ...names }
  const texts: string[] = []
  for (const value of values) {
    const text = isStructuredItem(value) ? textOfItem(value, names) : value
    if (text === undefined) continue
    const coerced = coerce(spec, text, context)
    // The URL of this page is not the website of its subject.
    const isOwnUrl =
      names.concept === 'website' && typeof coerced === 'string' && isSamePath(coerced, page.url)
    if (coerced === undefined || isOwnUrl) continue
    // The texts of some concepts are joined. For all other values, the first one is used.
    const isJoined = spec.format === undefined && joinedConcepts.has(names.concept ?? '')
    if (typeof coerced !== 'string' || !isJoined)
      return { value: coerced, text: String(text).slice(0, 2000), reader, path, score: 1 }
    if (!texts.includes(coerced)) texts.push(coerced)
  }
  const joined = texts.slice(0, 50).join(', ')
  return texts.length === 0 ? undefined : { value: joined, text: joined, reader, path, score: 1 }
}

function isSamePath(one: string, other: string): boolean {
  const path = URL.parse(one)?.pathname ?? ''
  return path.length > 1 && path === URL.parse(other)?.pathname
}

const joinedConcepts = new Set(
  'category keywords cuisine author actors performers genre diet skills director employmentType'.split(' '),
)

/** Properties that contain the text of an item, by kind, best first. Other kinds use those of a name, then the URL. */
const textKeys: Record<string, string> = {
  ...{ image: 'url contentUrl @id', address: 'url contentUrl @id', steps: 'text name description' },
  name: 'name @value value text ratingValue price',
}

function textOfItem(item: StructuredItem, names: FieldNames): string | number | boolean | undefined {
  for (const key of (textKeys[names.kind ?? ''] ?? `${textKeys.name} url`).split(' ')) {
    const [value] = key === '@id' ? [item.id] : (item.properties.get(key) ?? [])
    if (value !== undefined && !isStructuredItem(value) && value !== '') return value
  }
  return postalAddressText(item)
}

const addressParts = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']

function postalAddressText(item: StructuredItem): string | undefined {
  const [addressItem] = item.properties.get('address') ?? []
  if (addressItem !== undefined && isStructuredItem(addressItem)) return postalAddressText(addressItem)
  const hasTown = item.properties.has('addressLocality')
  const parts = addressParts.flatMap((name) => {
    if (hasTown && name === 'addressCountry') return []
    const [value] = item.properties.get(name) ?? []
    if (value === undefined) return []
    const text = isStructuredItem(value) ? value.properties.get('name')?.[0] : value
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return parts.length > 0 ? parts.join(', ') : undefined
}

interface Candidate {
  path: string
  values: Value[]
  score: number
  isTypeSpecific: boolean
}

const propertyLists = ['additionalProperty', 'identifier', 'amenityFeature', 'valueReference']
const maxProperties = 200
const minSimilarity = 0.6
const indirectMatchTrust = 0.9

/** Reads lists of name and value: `additionalProperty: [{ name: "Wattage", value: 900, unitText: "W" }]`. */
function namedValues(item: StructuredItem, itemPath: string, names: FieldNames): Candidate[] {
  return propertyLists.flatMap((listName) =>
    (item.properties.get(listName) ?? [])
      .filter(isStructuredItem)
      .slice(0, maxProperties)
      .flatMap((property): Candidate[] => {
        const [label] = property.properties.get('name') ?? property.properties.get('propertyID') ?? []
        const values = propertyValues(property)
        if (typeof label !== 'string' || values.length === 0) return []
        const labelWords = words(label).map(singular)
        const similarity = labelSimilarity(names, labelWords)
        const exact = names.phrases.get(phraseOf(labelWords)) ?? 0
        const score = Math.max(exact, similarity >= minSimilarity ? similarity : 0) * indirectMatchTrust
        return score < 0.5 ? [] : [{ path: `${itemPath}.${listName}`, values, score, isTypeSpecific: false }]
      }),
  )
}

function propertyValues({ properties }: StructuredItem): Value[] {
  const [value] = properties.get('value') ?? []
  const [unit] = properties.get('unitText') ?? []
  if (value === undefined || isStructuredItem(value)) return []
  return [typeof unit === 'string' && typeof value !== 'boolean' ? `${value} ${unit}` : value]
}

/** Returns `sameAs` URLs whose host matches the field name, such as `linkedin`. */
function sameAsCandidates(item: StructuredItem, itemPath: string, { kind, own }: FieldNames): Candidate[] {
  if (kind !== 'address') return []
  const values = (item.properties.get('sameAs') ?? []).filter((value) => {
    const labels = typeof value === 'string' ? (URL.parse(value)?.hostname ?? '').split('.') : []
    return labels.some((label) => own.includes(label))
  })
  return [{ path: `${itemPath}.sameAs`, values, score: indirectMatchTrust, isTypeSpecific: false }]
}

import type { FieldSpec, ListSpec, ObjectSpec, ValueSpec } from '../schema/field-spec.ts'
import { isStructuredItem, type StructuredItem, type Value } from '../structured-data/structured-item.ts'
import { coerce } from '../values/coerce.ts'
import { plainText } from '../values/plain-value.ts'
import { nameWords, phraseOf, singular, words } from '../vocabulary/words.ts'
import type { ExtractorName, Found, PageContext } from './extracted-value.ts'
import { type FieldNames, namesOf } from './field-names.ts'
import { nearness } from './schema-fields.ts'

/** Things of one syntax, in the order of the page. */
export interface ItemSource {
  reader: ExtractorName
  things: readonly StructuredItem[]
  /** How far it is to be trusted. */
  trust: number
}

/** How surely a property must be meant. */
const minScore = 0.5

/** One thing as a reader of fields sees it. */
export interface ItemPosition {
  thing: StructuredItem
  path: string
  reader: ExtractorName
  trust: number
  page: PageContext
}

/** What a thing says of a field. */
export function fieldOfItem(place: ItemPosition, spec: FieldSpec, names: FieldNames): Found | undefined {
  let best: Found | undefined
  for (const { path, values, score, isOfType } of candidates(place, names)) {
    // What only things of this type say is meant, however little else the thing says.
    const sure = score * (isOfType ? 1 : place.trust)
    if (best && best.score >= sure) continue
    const found = readValues({ ...place, path }, spec, names, values)
    if (found) best = { ...found, score: sure }
  }
  return best
}

/** Properties that may be the field, best first. */
function candidates({ thing, path: at }: ItemPosition, names: FieldNames): Candidate[] {
  const found: Candidate[] = []
  for (const [path, score] of names.paths) {
    const [type, properties = type] = path.split(':')
    if (type !== properties && !thing.types.includes(type ?? '')) continue
    const values = valuesAt(thing, (properties ?? '').split('.'))
    if (values.length > 0) found.push({ path: `${at}.${path}`, values, score, isOfType: type !== properties })
  }
  for (const [name, values] of thing.properties) {
    const score = likeness(names, thing, name)
    if (score >= minScore) found.push({ path: `${at}.${name}`, values, score, isOfType: false })
  }
  return [...found, ...namedValues(thing, at, names), ...addressesOf(thing, at, names)].sort(
    (one, other) => other.score - one.score,
  )
}

function valuesAt(thing: StructuredItem, [first = '', ...rest]: string[]): Value[] {
  const values = thing.properties.get(first) ?? []
  if (rest.length === 0) return values
  return values.flatMap((value) => (isStructuredItem(value) ? valuesAt(value, rest) : []))
}

/** How surely a property of this name is the field, by its words alone. */
function likeness(names: FieldNames, thing: Pick<StructuredItem, 'types'>, property: string): number {
  const words = nameWords(property).map(singular)
  const types = new Set(thing.types.flatMap((type) => nameWords(type).map(singular)))
  const bare = words.filter((word) => !types.has(word))
  const [whole, without] = [phraseOf(words), phraseOf(bare)]
  const known = Math.max(names.phrases.get(whole) ?? 0, (names.phrases.get(without) ?? 0) * 0.95)
  // A field that is known has its names; words that it shares with others say nothing.
  if (known > 0 || names.concept !== undefined) return known
  // `checkIn` is `checkinTime` elsewhere.
  const joined = names.own.join('')
  if (joined.length > 4 && [words, words.slice(0, -1)].some((part) => part.join('') === joined)) return 0.8
  const own = new Set(names.own)
  const shared = words.filter((word) => own.has(word)).length
  return shared === 0 ? 0 : ((2 * shared) / (own.size + words.length)) * 0.8
}

function readValues(
  place: ItemPosition,
  spec: FieldSpec,
  names: FieldNames,
  values: Value[],
): Found | undefined {
  if (spec.kind === 'list') return readList(place, spec, names, values)
  if (spec.kind === 'object') return readObject(place, spec, values)
  return readValue(place, spec, names, values)
}

const maxEntries = 2000

function readList(
  place: ItemPosition,
  spec: ListSpec,
  names: FieldNames,
  values: Value[],
): Found | undefined {
  const { item } = spec
  const inner = new Map<string, Found>()
  const entries: unknown[] = []
  const parts = item.kind === 'object' ? flatEntries(values) : textEntries(values, names)
  for (const part of parts.slice(0, Math.min(spec.most, maxEntries))) {
    const found = readValues({ ...place, path: `${place.path}[${entries.length}]` }, item, names, [part])
    // A sign is no entry: what is left of data that was written into an attribute.
    const isSign = typeof found?.value === 'string' && !/[\p{L}\p{N}]/u.test(found.value)
    if (!found || isSign) continue
    inner.set(`[${entries.length}]`, found)
    entries.push(found.value)
  }
  if (entries.length === 0) return undefined
  const text = [...inner.values()].map((found) => found.text).join('\n')
  return { ...place, value: entries, text: text.slice(0, 2000), inner, score: 1 }
}

/** Lists of schema.org hold their things behind entries. */
function flatEntries(values: Value[]): Value[] {
  return values.flatMap((value) => {
    if (!isStructuredItem(value)) return [value]
    const inner = value.properties.get('itemListElement')
    if (inner) return flatEntries(inner)
    const item = value.properties.get('item')?.filter(isStructuredItem)
    return item && item.length > 0 && value.types.includes('ListItem') ? item : [value]
  })
}

/** Entries of a list of texts: steps in sections, and texts that hold a list themselves. */
function textEntries(values: Value[], names: FieldNames): Value[] {
  const flat = values.flatMap((value): Value[] => {
    if (!isStructuredItem(value)) return [value]
    const inner =
      value.properties.get('itemListElement') ??
      (value.types.includes('HowToSection') ? value.properties.get('steps') : undefined)
    return inner ? textEntries(inner, names) : [value]
  })
  const [only] = flat
  if (flat.length !== 1 || typeof only !== 'string') return flat
  return splitText(only, names)
}

/** One text that holds a list: lines, or words behind commas where the entries are words. */
export function splitText(text: string, { kind, concept }: FieldNames): string[] {
  const lines = text
    .replace(/<\/(?:p|li|div)>|<br\s*\/?>/gi, '\n')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => plainText(line) !== undefined)
  if (lines.length > 1) return lines
  const [first = ''] = lines
  const isWords = concept === 'keywords' || kind === undefined || ['name', 'text', 'code'].includes(kind)
  const people = concept === 'author' ? first.split(/\s*,\s*|\s+(?:and|und|et|y|og|och|&)\s+/) : []
  const parts = (people.length > 1 ? people : first.split(/\s*[,;|]\s*/)).filter(Boolean)
  // Quantities in a row: "2 eggs, 100 g flour".
  const counted = parts.filter((part) => /^[\d¼½¾⅓⅔]/.test(part)).length
  if (kind === 'steps') return counted > 3 && counted * 2 > parts.length ? parts : lines
  return isWords && parts.length > 1 && parts.every((part) => part.length <= 40) ? parts : lines
}

function readObject(place: ItemPosition, spec: ObjectSpec, values: Value[]): Found | undefined {
  const things = values.filter(isStructuredItem)
  for (const thing of things) {
    const found = objectOf({ ...place, thing }, spec)
    if (found) return found
  }
  return undefined
}

/** The fields of an object, from one thing. */
export function objectOf(place: ItemPosition, spec: ObjectSpec): Found | undefined {
  const value: Record<string, unknown> = {}
  const inner = new Map<string, Found>()
  for (const [name, field] of spec.fields) {
    const found = fieldOfItem(place, field, namesOf(field, spec.label))
    if (!found) continue
    define(value, name, found.value)
    inner.set(name, found)
  }
  if (inner.size === 0) return undefined
  return { ...place, value, text: '', inner, score: place.trust }
}

/** As an own property, whatever it is called. */
export function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function readValue(
  place: ItemPosition,
  spec: ValueSpec,
  names: FieldNames,
  values: Value[],
): Found | undefined {
  const { page, path, reader } = place
  const context = { ...page, ...names }
  const texts: string[] = []
  for (const value of values) {
    const plain = isStructuredItem(value) ? textOfItem(value, names) : value
    if (plain === undefined) continue
    const read = coerce(spec, plain, context)
    // The page itself is no website of what it is about.
    const isOwn = names.concept === 'website' && typeof read === 'string' && isSamePath(read, page.url)
    if (read === undefined || isOwn) continue
    // Of several values a single number or address is the first; texts belong together.
    if (typeof read !== 'string' || spec.format !== undefined || !isJoined(names)) {
      return { value: read, text: String(plain).slice(0, 2000), reader, path, score: 1 }
    }
    if (!texts.includes(read)) texts.push(read)
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

const isJoined = ({ concept }: FieldNames) => concept !== undefined && joinedConcepts.has(concept)

/** The properties that are its text, best first; those of a name and its address for all other kinds. */
const textKeys: Record<string, string> = {
  ...{ image: 'url contentUrl @id', address: 'url contentUrl @id', steps: 'text name description' },
  name: 'name @value value text ratingValue price',
}

/** What a thing stands for where a text is asked for. */
function textOfItem(thing: StructuredItem, names: FieldNames): string | number | boolean | undefined {
  for (const key of (textKeys[names.kind ?? ''] ?? `${textKeys.name} url`).split(' ')) {
    const [value] = key === '@id' ? [thing.id] : (thing.properties.get(key) ?? [])
    if (value !== undefined && !isStructuredItem(value) && value !== '') return value
  }
  return addressText(thing)
}

const addressParts = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']

/** A postal address in one line; a town needs no country. */
function addressText(thing: StructuredItem): string | undefined {
  const [place] = thing.properties.get('address') ?? []
  if (place !== undefined && isStructuredItem(place)) return addressText(place)
  const isTown = thing.properties.has('addressLocality')
  const parts = addressParts.flatMap((name) => {
    if (isTown && name === 'addressCountry') return []
    const [value] = thing.properties.get(name) ?? []
    if (value === undefined) return []
    const text = isStructuredItem(value) ? value.properties.get('name')?.[0] : value
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** A property that may be a field. */
export interface Candidate {
  path: string
  values: Value[]
  score: number
  isOfType: boolean
}

const holders = ['additionalProperty', 'identifier', 'amenityFeature', 'valueReference']
const maxProperties = 200
const minNearness = 0.6
const trustInNamed = 0.9

/** Properties that a thing names itself: `additionalProperty: { name: "Wattage", value: 900, unitText: "W" }`. */
export function namedValues(thing: StructuredItem, at: string, names: FieldNames): Candidate[] {
  return holders.flatMap((holder) =>
    (thing.properties.get(holder) ?? [])
      .filter(isStructuredItem)
      .slice(0, maxProperties)
      .flatMap((property): Candidate[] => {
        const [label] = property.properties.get('name') ?? property.properties.get('propertyID') ?? []
        const values = statedValues(property)
        if (typeof label !== 'string' || values.length === 0) return []
        const said = words(label).map(singular)
        const near = nearness(names, said)
        const score =
          Math.max(names.phrases.get(phraseOf(said)) ?? 0, near >= minNearness ? near : 0) * trustInNamed
        return score < 0.5 ? [] : [{ path: `${at}.${holder}`, values, score, isOfType: false }]
      }),
  )
}

function statedValues({ properties }: StructuredItem): Value[] {
  const [value] = properties.get('value') ?? []
  const [unit] = properties.get('unitText') ?? []
  if (value === undefined || isStructuredItem(value)) return []
  return [typeof unit === 'string' && typeof value !== 'boolean' ? `${value} ${unit}` : value]
}

/** Hosts identify other addresses of a thing: `linkedin` among those of `sameAs`. */
export function addressesOf(thing: StructuredItem, at: string, { kind, own }: FieldNames): Candidate[] {
  if (kind !== 'address') return []
  const values = (thing.properties.get('sameAs') ?? []).filter((value) => {
    const labels = typeof value === 'string' ? (URL.parse(value)?.hostname ?? '').split('.') : []
    return labels.some((label) => own.includes(label))
  })
  return values.length === 0 ? [] : [{ path: `${at}.sameAs`, values, score: trustInNamed, isOfType: false }]
}

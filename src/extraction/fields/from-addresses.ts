import { coerce } from '../values/coerce.ts'
import type { ExtractedValue, PageContext } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'

/** Score of a postal address. It is high, because other text rarely has the format of an address. */
const score = 0.8
const minWeight = 0.6
const maxLines = 1500
const maxLineLength = 120
const concepts: Record<string, keyof PostalAddress> = {
  ...{ street: 'street', city: 'city', region: 'region', postalCode: 'postalCode' },
}

/** Reads the parts of a postal address from one line or from two consecutive lines. */
export function readAddresses(
  { list }: Lines,
  fields: readonly SchemaField[],
  page: PageContext,
): Map<SchemaField, ExtractedValue> {
  const valuesByField = new Map<SchemaField, ExtractedValue>()
  const groups = Map.groupBy(
    fields.filter(({ names }) => names.concept !== undefined && names.concept in concepts),
    ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))),
  )
  const addressFields = fields.filter(
    ({ names, spec }) => names.concept === 'address' && spec.kind === 'text',
  )
  const [addressField] = addressFields
  if (addressField && addressFields.length === 1) addFullAddress(valuesByField, addressField, list, page)
  const addressGroups = [...groups.values()].filter((group) => group.length > 1)
  // With two address objects in the schema, the owner of an address is unknown.
  if (addressGroups.length !== 1) return valuesByField
  const address = firstAddress(list)
  if (!address) return valuesByField
  for (const field of addressGroups.flat()) {
    const text = address.address[concepts[field.names.concept ?? ''] ?? 'city']
    if (text === undefined || field.spec.kind === 'list') continue
    const value = coerce(field.spec, text, { ...page, ...field.names })
    if (value === undefined) continue
    valuesByField.set(field, { value, text: address.text, node: address.line.first, reader: 'label', score })
  }
  return valuesByField
}

const fullAddressScore = 0.5

/** Reads the complete address, if the page has exactly one. */
function addFullAddress(
  valuesByField: Map<SchemaField, ExtractedValue>,
  field: SchemaField,
  list: readonly Line[],
  page: PageContext,
): void {
  const addressLines = list
    .slice(0, maxLines)
    .filter(
      ({ text, weight }) => weight >= minFullAddressWeight && text.length <= maxLineLength && /\d/.test(text),
    )
    .filter(({ text }) => readPostalAddress(text)?.street !== undefined)
  const [firstLine] = addressLines
  if (!firstLine || field.spec.kind === 'list' || addressLines.some(({ text }) => text !== firstLine.text))
    return
  const value = coerce(field.spec, firstLine.text, { ...page, ...field.names })
  if (value === undefined) return
  valuesByField.set(field, {
    value,
    text: firstLine.text,
    node: firstLine.first,
    reader: 'label',
    score: fullAddressScore,
  })
}

const minFullAddressWeight = 0.9

function firstAddress(
  lines: readonly Line[],
): { address: PostalAddress; line: Line; text: string } | undefined {
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    if (line.weight < minWeight || line.text.length > maxLineLength || !/\d/.test(line.text)) continue
    const next = lines[index + 1]
    const twoLines =
      next && next.text.length <= maxLineLength ? `${line.text.replace(/,$/, '')}, ${next.text}` : ''
    for (const text of [line.text, twoLines]) {
      const address = text === '' ? undefined : readPostalAddress(text)
      if (address) return { address, line, text }
    }
  }
  return undefined
}

/** Parts of a postal address, named after concepts. */
export interface PostalAddress {
  street?: string
  city: string
  region?: string
  postalCode?: string
}

const maxAddressLength = 160
const city = String.raw`\p{Lu}[\p{L}\p{M} .'’/()-]{1,40}?`
const street = String.raw`(?=[^,]{0,60}\d)[\p{L}\d][^,|]{2,60}?`
const american = new RegExp(
  String.raw`^(?:(${street}),\s*)?(${city}),\s*([A-Z]{2})\s+(\d{5}(?:-\d{4})?)$`,
  'u',
)
const british = new RegExp(
  String.raw`^(?:(${street}),\s*)?(${city}),?\s+([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})$`,
  'u',
)
const continental = new RegExp(
  String.raw`^(?:(${street}),?\s+)?(?:[A-Z]{1,2}[-–])?(\d{4,5}|\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{3}\s\d{2})\s+(${city})$`,
  'u',
)

const reversed = new RegExp(String.raw`^(${city}),?\s+\(?(\d{5})\)?$`, 'u')

/** Parses a text that consists of a postal address only. */
export function readPostalAddress(source: string): PostalAddress | undefined {
  const text = source
    .slice(0, maxAddressLength)
    .replace(/\s+/g, ' ')
    .replace(/\s+,/g, ',')
    .replace(/,?\s*(?:USA|United States|UK|United Kingdom|Deutschland|Germany|France)$/, '')
    .trim()
  const americanMatch = american.exec(text)
  if (americanMatch)
    return toPostalAddress(americanMatch[1], americanMatch[2], americanMatch[4], americanMatch[3])
  const britishMatch = british.exec(text)
  if (britishMatch) return toPostalAddress(britishMatch[1], britishMatch[2], britishMatch[3])
  const reversedMatch = reversed.exec(text)
  if (reversedMatch) return toPostalAddress(undefined, reversedMatch[1], reversedMatch[2])
  const continentalMatch = continental.exec(text)
  // A number before words is a postal code only after a street.
  return continentalMatch?.[1] === undefined || !/\d/.test(continentalMatch[1])
    ? undefined
    : toPostalAddress(continentalMatch[1].replace(/,$/, ''), continentalMatch[3], continentalMatch[2])
}

function toPostalAddress(
  streetLine: string | undefined,
  cityName: string | undefined,
  postalCode: string | undefined,
  region?: string,
): PostalAddress {
  return {
    city: cityName?.trim() ?? '',
    ...(streetLine === undefined ? {} : { street: streetLine.trim() }),
    ...(postalCode === undefined ? {} : { postalCode }),
    ...(region === undefined ? {} : { region }),
  }
}

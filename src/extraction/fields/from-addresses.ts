import { type FieldReadings, type ReaderInput, readText } from './extracted-value.ts'
import type { Line } from './lines.ts'

/** High, because other text rarely has the format of an address. */
const partScore = 0.8
const minWeight = 0.6
const maxLines = 1500
const maxLineLength = 120
const concepts: readonly (string | undefined)[] = ['street', 'city', 'region', 'postalCode']

export function* readAddresses({ lines: { list }, fields, page }: ReaderInput): FieldReadings {
  const groups = Map.groupBy(
    fields.filter(({ names }) => concepts.includes(names.concept)),
    ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))),
  )
  const addressFields = fields.filter(
    ({ names, spec }) => names.concept === 'address' && spec.kind === 'text',
  )
  const [addressField] = addressFields
  const fullAddress = addressFields.length === 1 ? findFullAddress(list) : undefined
  if (addressField && fullAddress) {
    const { text, first: node } = fullAddress
    const source = { text, node, reader: 'label', score: fullAddressScore } as const
    yield [addressField, readText(addressField, source, page)]
  }
  const addressGroups = [...groups.values()].filter((group) => group.length > 1)
  // With two address objects in the schema, the owner of an address is unknown.
  const found = addressGroups.length === 1 ? firstAddress(list) : undefined
  if (!found) return
  for (const field of addressGroups.flat()) {
    const text = found.address[field.names.concept ?? '']
    if (text === undefined) continue
    const value = readText(field, { text, node: found.node, reader: 'label', score: partScore }, page)
    yield [field, value && { ...value, text: found.text }]
  }
}

const fullAddressScore = 0.5

function findFullAddress(list: readonly Line[]): Line | undefined {
  const isShort = (text: string) => text.length <= maxLineLength && /\d/.test(text)
  const addressLines = list
    .slice(0, maxLines)
    .filter(({ text, weight }) => weight >= minFullAddressWeight && isShort(text))
    .filter(({ text }) => readPostalAddress(text)?.street !== undefined)
  const [firstLine] = addressLines
  return addressLines.every(({ text }) => text === firstLine?.text) ? firstLine : undefined
}

const minFullAddressWeight = 0.9

function firstAddress(lines: readonly Line[]) {
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    if (line.weight < minWeight || line.text.length > maxLineLength || !/\d/.test(line.text)) continue
    const next = lines[index + 1]
    const twoLines =
      next && next.text.length <= maxLineLength ? `${line.text.replace(/,$/, '')}, ${next.text}` : ''
    for (const text of [line.text, twoLines]) {
      const address = text === '' ? undefined : readPostalAddress(text)
      if (address) return { address, text, node: line.first }
    }
  }
  return undefined
}

const maxAddressLength = 160
const city = String.raw`(?<city>\p{Lu}[\p{L}\p{M} .'’/()-]{1,40}?)`
const street = String.raw`(?<street>(?=[^,]{0,60}\d)[\p{L}\d][^,|]{2,60}?)`
const american = new RegExp(
  String.raw`^(?:${street},\s*)?${city},\s*(?<region>[A-Z]{2})\s+(?<postalCode>\d{5}(?:-\d{4})?)$`,
  'u',
)
const british = new RegExp(
  String.raw`^(?:${street},\s*)?${city},?\s+(?<postalCode>[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})$`,
  'u',
)
const continental = new RegExp(
  String.raw`^(?:${street},?\s+)?(?:[A-Z]{1,2}[-–])?(?<postalCode>\d{4,5}|\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{3}\s\d{2})\s+${city}$`,
  'u',
)
const reversed = new RegExp(String.raw`^${city},?\s+\(?(?<postalCode>\d{5})\)?$`, 'u')

export function readPostalAddress(source: string): Record<string, string | undefined> | undefined {
  const text = source
    .slice(0, maxAddressLength)
    .replace(/\s+/g, ' ')
    .replace(/\s+,/g, ',')
    .replace(/,?\s*(?:USA|United States|UK|United Kingdom|Deutschland|Germany|France)$/, '')
    .trim()
  const parts = (american.exec(text) ?? british.exec(text) ?? reversed.exec(text))?.groups
  const continentalParts = parts ? undefined : continental.exec(text)?.groups
  // A number before words is a postal code only after a street.
  const found = /\d/.test(continentalParts?.street ?? '') ? continentalParts : parts
  return found && { ...found, street: found.street?.trim(), city: found.city?.trim() }
}

import { coerce } from '../values/coerce.ts'
import type { Found, PageContext } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'

/** The form of an address is seldom that of anything else. */
const score = 0.8
const minWeight = 0.6
const maxLines = 1500
const longestLine = 120
const concepts: Record<string, keyof PostalAddress> = {
  ...{ street: 'street', city: 'city', region: 'region', postalCode: 'postalCode' },
}

/** The parts of an address that stands in one line, or in two lines one below the other. */
export function readAddresses(
  { list }: Lines,
  slots: readonly SchemaField[],
  page: PageContext,
): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  const groups = Map.groupBy(
    slots.filter(({ names }) => names.concept !== undefined && names.concept in concepts),
    ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))),
  )
  const whole = slots.filter(({ names, spec }) => names.concept === 'address' && spec.kind === 'text')
  const [only] = whole
  if (only && whole.length === 1) offerWhole(found, only, list, page)
  const wanted = [...groups.values()].filter((group) => group.length > 1)
  // Of two addresses nothing says which is whose.
  if (wanted.length !== 1) return found
  const first = firstAddress(list)
  if (!first) return found
  for (const slot of wanted.flat()) {
    const text = first.address[concepts[slot.names.concept ?? ''] ?? 'city']
    if (text === undefined || slot.spec.kind === 'list') continue
    const value = coerce(slot.spec, text, { ...page, ...slot.names })
    if (value === undefined) continue
    found.set(slot, { value, text: first.text, node: first.line.first, reader: 'label', score })
  }
  return found
}

const scoreOfWhole = 0.5

/** The only address of the page, in full. */
function offerWhole(
  found: Map<SchemaField, Found>,
  slot: SchemaField,
  list: readonly Line[],
  page: PageContext,
): void {
  const all = list
    .slice(0, maxLines)
    .filter(({ text, weight }) => weight >= minOfWhole && text.length <= longestLine && /\d/.test(text))
    .filter(({ text }) => readPostalAddress(text)?.street !== undefined)
  const [first] = all
  if (!first || slot.spec.kind === 'list' || all.some(({ text }) => text !== first.text)) return
  const value = coerce(slot.spec, first.text, { ...page, ...slot.names })
  if (value === undefined) return
  found.set(slot, { value, text: first.text, node: first.first, reader: 'label', score: scoreOfWhole })
}

const minOfWhole = 0.9

function firstAddress(
  list: readonly Line[],
): { address: PostalAddress; line: Line; text: string } | undefined {
  for (const [at, line] of list.slice(0, maxLines).entries()) {
    if (line.weight < minWeight || line.text.length > longestLine || !/\d/.test(line.text)) continue
    const next = list[at + 1]
    const below =
      next && next.text.length <= longestLine ? `${line.text.replace(/,$/, '')}, ${next.text}` : ''
    for (const text of [line.text, below]) {
      const address = text === '' ? undefined : readPostalAddress(text)
      if (address) return { address, line, text }
    }
  }
  return undefined
}

/** The parts of a postal address, by the names of concepts. */
export interface PostalAddress {
  street?: string
  city: string
  region?: string
  postalCode?: string
}

const longest = 160
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

/** A text that is an address and nothing else. */
export function readPostalAddress(given: string): PostalAddress | undefined {
  const text = given
    .slice(0, longest)
    .replace(/\s+/g, ' ')
    .replace(/\s+,/g, ',')
    .replace(/,?\s*(?:USA|United States|UK|United Kingdom|Deutschland|Germany|France)$/, '')
    .trim()
  const us = american.exec(text)
  if (us) return parts(us[1], us[2], us[4], us[3])
  const uk = british.exec(text)
  if (uk) return parts(uk[1], uk[2], uk[3])
  const turned = reversed.exec(text)
  if (turned) return parts(undefined, turned[1], turned[2])
  const other = continental.exec(text)
  // A number before words is an address only behind a street.
  return other?.[1] === undefined || !/\d/.test(other[1])
    ? undefined
    : parts(other[1].replace(/,$/, ''), other[3], other[2])
}

function parts(
  line: string | undefined,
  town: string | undefined,
  code: string | undefined,
  region?: string,
): PostalAddress {
  return {
    city: town?.trim() ?? '',
    ...(line === undefined ? {} : { street: line.trim() }),
    ...(code === undefined ? {} : { postalCode: code }),
    ...(region === undefined ? {} : { region }),
  }
}

import { load } from 'cheerio'
import type { Schema } from './schema.ts'
import { Either, type Expected, type ExpectedValue } from './template.ts'

/** Paths of the values of a truth that the page does not state anywhere, in its text or in its structured data. */
export function unstated(expected: Expected, schema: Schema, html: string): string[] {
  const page = read(html)
  const missing: string[] = []
  const visit = (value: ExpectedValue | undefined, asked: Schema | undefined, path: string): void => {
    if (value === undefined) return
    if (asked === undefined) missing.push(`${path} (not asked for)`)
    else if (value instanceof Either) {
      if (!value.isOptional && !value.values.some((one) => isStated(one, asked, page))) missing.push(path)
    } else if (Array.isArray(value))
      for (const [place, one] of value.entries()) visit(one, asked.items, `${path}[${place}]`)
    else if (typeof value === 'object') {
      for (const [name, one] of Object.entries(value))
        visit(one, asked.properties?.[name], path ? `${path}.${name}` : name)
    } else if (!isStated(value, asked, page)) missing.push(path)
  }
  visit(expected, schema, '')
  return missing
}

interface Read {
  /** Words of the visible text, the attributes and the scripts that hold data. */
  words: string
  numbers: Set<number>
  addresses: Set<string>
}

const wordsOf = (text: string) =>
  ` ${(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')} `

function read(html: string): Read {
  const $ = load(html)
  const attributes = $('*')
    .toArray()
    .flatMap((element) => ('attribs' in element ? Object.values(element.attribs) : []))
  const data = $('script[type="application/ld+json"], script[type="application/json"]').text()
  $('script, style').remove()
  const text = [
    $('head').text(),
    $('body *')
      .contents()
      .filter((_, node) => node.type === 'text')
      .toArray()
      .map((node) => ('data' in node ? node.data : ''))
      .join('\n'),
    attributes.join('\n'),
    data,
  ].join('\n')
  return {
    words: wordsOf(text),
    numbers: numbersOf(text),
    addresses: new Set([...attributes, ...(data.match(/https?:[^"]+/g) ?? [])].map(withoutQuery)),
  }
}

/** Every number of a text, read in each way that a country writes numbers. */
function numbersOf(text: string): Set<number> {
  const found = new Set<number>()
  for (const [written] of text.normalize('NFKC').matchAll(/[-−]?\d(?:[\d.,’' ]*\d)?/g)) {
    const plain = written.replace('−', '-')
    const readings = [
      plain.replace(/[,’' ]/g, ''),
      plain.replace(/[.’' ]/g, '').replace(',', '.'),
      ...plain.split(/[^\d.-]+/),
      ...plain.split(/[^\d,-]+/),
    ]
    for (const reading of readings)
      if (reading !== '') found.add(Number(reading)).add(Math.abs(Number(reading)))
  }
  return found
}

function isStated(value: string | number | boolean, asked: Schema, page: Read): boolean {
  // A page says yes and no, and the names of an enumeration, in words of its own.
  if (typeof value === 'boolean') return true
  if (asked.enum) return asked.enum.includes(String(value))
  if (typeof value === 'number') return page.numbers.has(value) || page.numbers.has(Math.floor(value / 60))
  if (asked.format === 'uri') return page.addresses.has(withoutQuery(value))
  if (asked.format === 'date' || asked.format === 'date-time') {
    const [year, , day] = value.slice(0, 10).split('-').map(Number)
    return page.numbers.has(Number(day)) && page.numbers.has(Number(year))
  }
  return page.words.includes(wordsOf(value)) || currencies.has(value)
}

/** A picture comes in several sizes. */
const withoutQuery = (address: string) => address.replace(/\?.*$/, '')
/** Their codes stand for the signs on the page. */
const currencies = new Set(['EUR', 'GBP', 'USD'])

import { words } from './words.ts'

export type Dimension = 'time' | 'mass' | 'length' | 'area' | 'volume' | 'power' | 'percent' | 'money'

/** What a number counts, where the name of a field or the page says so: `totalTimeMinutes`, `weight_kg`, "850 g". */
export interface Unit {
  of: Dimension
  /** In seconds, grams, metres, square metres, litres or kilowatts; 0 where units are not converted. */
  size: number
  /** Of money: the code of the currency. */
  currency?: string
}

type UnitRow = readonly [of: Dimension, size: number, written: string]

/** As names of fields and pages write them, each word in the singular and without accents. */
const rows: readonly UnitRow[] = [
  ['time', 1, 'second sec'],
  ['time', 60, 'minute min mins minuten minuto'],
  ['time', 3600, 'hour hr hrs stunde std heure hora'],
  ['time', 86_400, 'day tag tage jour dia'],
  ['time', 604_800, 'week woche wochen semaine semana'],
  ['time', 2_629_800, 'month monat monate moi mese'],
  ['mass', 0.001, 'mg'],
  ['mass', 1, 'g gr gram gramm gramme'],
  ['mass', 1000, 'kg kilo kilogram kilogramm kilogramme'],
  ['mass', 1_000_000, 't ton tonne'],
  ['mass', 453.592_37, 'lb lbs pound'],
  ['mass', 28.349_523, 'oz ounce'],
  ['length', 0.001, 'mm millimeter millimetre'],
  ['length', 0.01, 'cm centimeter centimetre zentimeter'],
  ['length', 1, 'm meter metre'],
  ['length', 1000, 'km kilometer kilometre'],
  ['length', 0.0254, 'inch'],
  ['length', 0.3048, 'ft foot feet'],
  ['length', 1609.344, 'mi mile'],
  ['area', 1, 'm2 sqm qm m²'],
  ['area', 0.092_903_04, 'sqft ft2 ft²'],
  ['area', 4046.856_422_4, 'acre'],
  ['area', 10_000, 'ha hectare hektar'],
  ['volume', 0.001, 'ml milliliter millilitre'],
  ['volume', 0.01, 'cl'],
  ['volume', 1, 'l liter litre'],
  ['volume', 3.785_411_784, 'gallon gal'],
  ['power', 1, 'kw'],
  ['power', 0.735_498_75, 'ps ch cv'],
  ['power', 0.745_699_87, 'hp bhp'],
  ['percent', 0, 'percent pct percentage prozent'],
]

const byWord = new Map<string, Unit>(
  rows.flatMap(([of, size, written]) => written.split(' ').map((word) => [word, { of, size }] as const)),
)
for (const code of 'usd eur gbp chf jpy cad aud sek nok dkk pln'.split(' '))
  byWord.set(code, { of: 'money', size: 0, currency: code.toUpperCase() })
for (const [name, code] of [
  ['euro', 'EUR'],
  ['dollar', 'USD'],
] as const)
  byWord.set(name, { of: 'money', size: 0, currency: code })

/** Two words are one unit: `sq_ft`, "square metres". */
const pairs: Record<string, string> = {
  feet: 'sqft',
  foot: 'sqft',
  ft: 'sqft',
  meter: 'sqm',
  metre: 'sqm',
  m: 'sqm',
}

/** The unit at the end of the words of a name, and how many words it is. */
export function unitOf(given: readonly string[]): { unit: Unit; size: number } | undefined {
  const last = given.at(-1) ?? ''
  const before = given.at(-2) ?? ''
  const isSquare = before === 'sq' || before === 'square'
  const unit = byWord.get(isSquare ? (pairs[last] ?? last) : last)
  return unit && { unit, size: isSquare ? 2 : 1 }
}

/** The unit that a description names: "Total time in minutes". */
export function describedUnit(given: readonly string[]): Unit | undefined {
  for (const [index, word] of given.entries()) {
    if (word !== 'in' && word !== 'en') continue
    const [next = '', after = ''] = [given[index + 1], given[index + 2]]
    const unit = byWord.get(next === 'square' ? (pairs[after] ?? '') : next)
    if (unit) return unit
  }
  return undefined
}

/** Whether a word is the name of a unit or of a currency. */
export const isUnitWord = (word: string) => byWord.has(word)

/** The unit that a page writes behind a number. */
export function writtenUnit(text: string): Unit | undefined {
  const short = text.toLowerCase().replace(/[.\s]+$/, '')
  if (short === '"' || short === '″' || short === 'in') return byWord.get('inch')
  if (/^(?:m²|m2|m\^2|qm|sqm|㎡)/.test(short)) return byWord.get('sqm')
  if (/^(?:sq\.?\s?ft|sqft|ft²|ft2|square f)/.test(short)) return byWord.get('sqft')
  const [first = '', second = ''] = words(short)
  if (first === 'square') return byWord.get(pairs[second] ?? '')
  return byWord.get(first) ?? byWord.get(first.replace(/s$/, ''))
}

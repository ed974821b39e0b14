import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
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

/** A unit in `units.json`. Its words are those of names of fields and of pages, each in the singular and without accents. */
export type UnitRow = Unit & { words: string }

const rows = jsonFile<UnitRow[]>(new URL('./units.json', import.meta.url))

const byWord = once(
  () =>
    new Map<string, Unit>(
      rows().flatMap(({ words: written, ...unit }) =>
        written.split(' ').map((word) => [word, unit] as const),
      ),
    ),
)

/** Two words are one unit: `sq_ft`, "square metres". */
const pairs: Record<string, string> = {
  ...{ feet: 'sqft', foot: 'sqft', ft: 'sqft', meter: 'sqm', metre: 'sqm', m: 'sqm' },
}

/** The unit at the end of the words of a name, and how many words it is. */
export function unitOf(given: readonly string[]): { unit: Unit; size: number } | undefined {
  const last = given.at(-1) ?? ''
  const before = given.at(-2) ?? ''
  const isSquare = before === 'sq' || before === 'square'
  const unit = byWord().get(isSquare ? (pairs[last] ?? last) : last)
  return unit && { unit, size: isSquare ? 2 : 1 }
}

/** The unit that a description names: "Total time in minutes". */
export function describedUnit(given: readonly string[]): Unit | undefined {
  for (const [index, word] of given.entries()) {
    if (word !== 'in' && word !== 'en') continue
    const [next = '', after = ''] = [given[index + 1], given[index + 2]]
    const unit = byWord().get(next === 'square' ? (pairs[after] ?? '') : next)
    if (unit) return unit
  }
  return undefined
}

/** Whether a word is the name of a unit or of a currency. */
export const isUnitWord = (word: string) => byWord().has(word)

/** The unit that a page writes behind a number. */
export function writtenUnit(text: string): Unit | undefined {
  const short = text.toLowerCase().replace(/[.\s]+$/, '')
  if (short === '"' || short === '″' || short === 'in') return byWord().get('inch')
  if (/^(?:m²|m2|m\^2|qm|sqm|㎡)/.test(short)) return byWord().get('sqm')
  if (/^(?:sq\.?\s?ft|sqft|ft²|ft2|square f)/.test(short)) return byWord().get('sqft')
  const [first = '', second = ''] = words(short)
  if (first === 'square') return byWord().get(pairs[second] ?? '')
  return byWord().get(first) ?? byWord().get(first.replace(/s$/, ''))
}

/** What an amount is for one of. */
export type Rate = 'hour' | 'day' | 'week' | 'month' | 'year' | 'area' | 'person'

const rates: readonly (readonly [Rate, RegExp])[] = [
  ['area', /(?:\/|\bper |\bpro |\bpar |\bpor |\bal )\s?(?:m²|m2|m\^2|qm|sqm|sq\.? ?(?:m|ft)|square|mq|㎡)/i],
  ['person', /(?:\/|\bper |\bpro |\bpar |\bpor )\s?(?:person|persona|personne|head|guest|pers\b|p\.? ?p\b)/i],
  ['hour', /\bhourly\b|(?:\/|\b(?:per|an|pro|par|por) )\s?(?:hour|hr|h\b|stunde|heure|hora)/i],
  [
    'day',
    /\b(?:daily|nightly)\b|(?:\/|\b(?:per|pro|par|por) )\s?(?:day|night|tag|nacht|nuit|jour|noche|notte)/i,
  ],
  ['week', /\bweekly\b|(?:\/|\b(?:per|pro|par|por) )\s?(?:week|wk|woche|semaine|semana)|\bp\.?w\.?\b/i],
  [
    'month',
    /\bmonthly\b|(?:\/|\b(?:per|a|pro|im|par|al) )\s?(?:month|mo\b|monat|mois|mes)|\bp\.?c?\.?m\.?\b|mensuel|monatlich/i,
  ],
  [
    'year',
    /\b(?:annual|annually|yearly)\b|(?:\/|\b(?:per|a|pro|im|par|al) )\s?(?:year|yr|annum|jahr|an\b|año|anno)|\bp\.?a\.?\b|jährlich/i,
  ],
]

/** Of a name or of a text: "monthly fee", "€9 / month", "4 632 €/m²". */
export function rateOf(text: string): Rate | undefined {
  return rates.find(([, shape]) => shape.test(text.slice(0, 120)))?.[0]
}

import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { words } from './words.ts'

export type Dimension = 'time' | 'mass' | 'length' | 'area' | 'volume' | 'power' | 'percent' | 'money'

/** Unit of a number, as stated by a field name or a page: `totalTimeMinutes`, `weight_kg`, "850 g". */
export interface Unit {
  of: Dimension
  /** Size in seconds, grams, metres, square metres, litres or kilowatts; 0 if the unit is not converted. */
  size: number
  currency?: string
}

/** Row of `units.json`. Its words are in the singular and without accents. */
export type UnitRow = Unit & { words: string }

const rows = jsonFile<UnitRow[]>(new URL('./units.json', import.meta.url))

const getUnitsByWord = lazy(() => {
  const entries = rows().flatMap(({ words, ...unit }) =>
    words.split(' ').map((word) => [word, unit] as const),
  )
  return new Map<string, Unit>(entries)
})

/** Units of two words: `sq_ft`, "square metres". */
const squareUnits: Record<string, string> = {
  ...{ feet: 'sqft', foot: 'sqft', ft: 'sqft', meter: 'sqm', metre: 'sqm', m: 'sqm' },
}

export function unitOf(parts: readonly string[]): { unit: Unit; wordCount: number } | undefined {
  const last = parts.at(-1) ?? ''
  const previous = parts.at(-2) ?? ''
  const isSquare = previous === 'sq' || previous === 'square'
  const unit = getUnitsByWord().get(isSquare ? (squareUnits[last] ?? last) : last)
  return unit && { unit, wordCount: isSquare ? 2 : 1 }
}

export function describedUnit(parts: readonly string[]): Unit | undefined {
  for (const [index, word] of parts.entries()) {
    if (word !== 'in' && word !== 'en') continue
    const [next = '', after = ''] = [parts[index + 1], parts[index + 2]]
    const unit = getUnitsByWord().get(next === 'square' ? (squareUnits[after] ?? '') : next)
    if (unit) return unit
  }
  return undefined
}

export const isUnitWord = (word: string) => getUnitsByWord().has(word)

export function writtenUnit(text: string): Unit | undefined {
  const normalised = text.toLowerCase().replace(/[.\s]+$/, '')
  if (normalised === '"' || normalised === '″' || normalised === 'in') return getUnitsByWord().get('inch')
  if (/^(?:m²|m2|m\^2|qm|sqm|㎡)/.test(normalised)) return getUnitsByWord().get('sqm')
  if (/^(?:sq\.?\s?ft|sqft|ft²|ft2|square f)/.test(normalised)) return getUnitsByWord().get('sqft')
  const [first = '', second = ''] = words(normalised)
  if (first === 'square') return getUnitsByWord().get(squareUnits[second] ?? '')
  return getUnitsByWord().get(first) ?? getUnitsByWord().get(first.replace(/s$/, ''))
}

const rates = Object.entries({
  area: /(?:\/|\bper |\bpro |\bpar |\bpor |\bal )\s?(?:m²|m2|m\^2|qm|sqm|sq\.? ?(?:m|ft)|square|mq|㎡)/i,
  person: /(?:\/|\bper |\bpro |\bpar |\bpor )\s?(?:person|persona|personne|head|guest|pers\b|p\.? ?p\b)/i,
  hour: /\bhourly\b|(?:\/|\b(?:per|an|pro|par|por) )\s?(?:hour|hr|h\b|stunde|heure|hora)/i,
  day: /\b(?:daily|nightly)\b|(?:\/|\b(?:per|pro|par|por) )\s?(?:day|night|tag|nacht|nuit|jour|noche|notte)/i,
  week: /\bweekly\b|(?:\/|\b(?:per|pro|par|por) )\s?(?:week|wk|woche|semaine|semana)|\bp\.?w\.?\b/i,
  month:
    /\bmonthly\b|(?:\/|\b(?:per|a|pro|im|par|al) )\s?(?:month|mo\b|monat|mois|mes)|\bp\.?c?\.?m\.?\b|mensuel|monatlich/i,
  year: /\b(?:annual|annually|yearly)\b|(?:\/|\b(?:per|a|pro|im|par|al) )\s?(?:year|yr|annum|jahr|an\b|año|anno)|\bp\.?a\.?\b|jährlich/i,
})

/** Returns the rate in a name or a text: "monthly fee", "€9 / month", "4 632 €/m²". */
export function rateOf(text: string): string | undefined {
  return rates.find(([, pattern]) => pattern.test(text.slice(0, 120)))?.[0]
}

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

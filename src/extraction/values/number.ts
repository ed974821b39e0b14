const maxLength = 200
const numberPattern = /[-−]?\d[\d.,'’\u00A0\u202F ]*/g
const scales: Record<string, number> = {
  ...{ k: 1e3, tsd: 1e3, thousand: 1e3, mio: 1e6, million: 1e6, millions: 1e6, bn: 1e9, 万: 1e4, 億: 1e8 },
}

/** Returns the first number of a text. The digits after it determine the decimal separator, else the language. */
export function readNumber(given: string, language = ''): number | undefined {
  const text = given.slice(0, maxLength).normalize('NFKC')
  for (const match of text.matchAll(numberPattern)) {
    const written = match[0].replace(/[.,'’\s]+$/u, '')
    // Skip digits inside a name, such as "A4".
    const before = text.slice(0, match.index)
    if (/[\p{L}_]$/u.test(before) && !/[\p{Sc}]|kr|rs|chf|eur|usd$/iu.test(before)) continue
    const value = parseNumber(written, language)
    if (value === undefined) continue
    const [, scale] =
      /^\s?(k|tsd|thousand|mio|millions?|bn|万|億)\b\.?/i.exec(text.slice(match.index + written.length)) ?? []
    return value * (scales[scale?.toLowerCase() ?? ''] ?? 1)
  }
  return undefined
}

const currencyPattern = String.raw`(?:\p{Sc}|(?<![\p{L}\d])(?:usd|eur|gbp|chf|sek|nok|dkk|pln|czk|kr|zł|kč|euros?)(?!\p{L})|円|元)`
export const money = new RegExp(currencyPattern, 'iu')
export const amountOfMoney = new RegExp(String.raw`\p{Sc}\s?\d|\d[\d.,'’\s]*${currencyPattern}`, 'iu')
const amountPattern = String.raw`(?<!\d)(?:\d{1,3}(?:[\s.,'’]\d{3})+(?:[.,]\d{1,2})?|\d[\d.,]*)(?:\s?(?:k|Mio|million|bn)\b)?`
const pricePattern = new RegExp(
  `${currencyPattern}\\s*(${amountPattern})|(${amountPattern})(?:,?[-–])?\\s*${currencyPattern}`,
  'iu',
)

export function readPrice(text: string, language = ''): number | undefined {
  const [, after, before] = pricePattern.exec(text.slice(0, maxLength).normalize('NFKC')) ?? []
  return readNumber(after ?? before ?? text, language)
}

function parseNumber(written: string, language: string): number | undefined {
  const digits = written.replace(/['’\s\u00A0\u202F]/g, '').replace('−', '-')
  const separator = findDecimalSeparator(digits, language)
  const normalised = [...digits]
    .filter((character) => /[\d-]/.test(character) || character === separator)
    .join('')
    .replace(',', '.')
  const value = Number(normalised)
  return Number.isFinite(value) && Math.abs(value) < 1e15 ? value : undefined
}

const commaLanguages = /^(?:de|fr|es|it|pt|nl|da|sv|nb|no|fi|pl|cs|sk|hu|ro|bg|ru|uk|tr|el|id|vi|hr|sl)\b/i

/** A single separator before exactly three digits is decimal only if it is that of the language. */
function findDecimalSeparator(digits: string, language: string): '.' | ',' | undefined {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const at = Math.max(point, comma)
  if (at < 0) return undefined
  const found = point >= 0 ? '.' : ','
  if (digits.indexOf(found) !== at) return undefined
  const isThousand = digits.length - at === 4 && !/^-?0[.,]/.test(digits)
  const decimal = commaLanguages.test(language) ? ',' : '.'
  return isThousand && found !== decimal ? undefined : found
}

/** Parses a machine-readable price. A comma before three digits separates thousands, and a single point is decimal. */
export function readAmount(text: string): number | undefined {
  if (text.length > 60 || /-\s*[^\d\s]?\s*\d/.test(text)) return undefined
  const [digits] = text.match(/\d[\d.,'’\s]*/) ?? []
  const amount = digits === undefined ? undefined : parseNumber(digits.replace(/[.,'’\s]+$/, ''), '')
  return amount !== undefined && amount < 1e12 ? amount : undefined
}

/** Codes of symbols that belong to one currency, unlike the dollar and the yen sign. */
const currencySymbols = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₩': 'KRW', '₺': 'TRY', '₪': 'ILS' }

const codes = new Set(Intl.supportedValuesOf('currency'))

export function readCurrency(text: string | undefined): string | undefined {
  if (!text || text.length > 60) return undefined
  const codeOnly = /^\s*([a-z]{3})\s*$/i.exec(text)?.[1]?.toUpperCase()
  if (codeOnly !== undefined) return codeOnly
  // Accept a code only next to a number, because other words may have three capital letters.
  const [, before, after] = /\b([A-Z]{3})\s?[\d$€£]|\d\s?[$€£]?\s?([A-Z]{3})\b/.exec(text) ?? []
  const code = before ?? after
  if (code !== undefined && codes.has(code)) return code
  return Object.entries(currencySymbols).find(([symbol]) => text.includes(symbol))?.[1]
}

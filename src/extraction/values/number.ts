const longest = 200
const number = /[-−]?\d[\d.,'’\u00A0\u202F ]*/g
const scales: Record<string, number> = {
  ...{ k: 1e3, tsd: 1e3, thousand: 1e3, mio: 1e6, million: 1e6, millions: 1e6, bn: 1e9, 万: 1e4, 億: 1e8 },
}

/** The first number of a text. Which sign parts decimals follows from the digits behind it, else from the language. */
export function readNumber(given: string, language = ''): number | undefined {
  const text = given.slice(0, longest).normalize('NFKC')
  for (const match of text.matchAll(number)) {
    const written = match[0].replace(/[.,'’\s]+$/u, '')
    // Part of a name: "A4", "4K".
    if (
      /[\p{L}_]$/u.test(text.slice(0, match.index)) &&
      !/[\p{Sc}]|kr|rs|chf|eur|usd$/iu.test(text.slice(0, match.index))
    )
      continue
    const value = parse(written, language)
    if (value === undefined) continue
    const [, scale] =
      /^\s?(k|tsd|thousand|mio|millions?|bn|万|億)\b\.?/i.exec(text.slice(match.index + written.length)) ?? []
    return value * (scales[scale?.toLowerCase() ?? ''] ?? 1)
  }
  return undefined
}

const currency = String.raw`(?:\p{Sc}|(?<![\p{L}\d])(?:usd|eur|gbp|chf|sek|nok|dkk|pln|czk|kr|zł|kč|euros?)(?!\p{L})|円|元)`
/** Signs, codes and names of money. */
export const money = new RegExp(currency, 'iu')
/** Money with its amount. */
export const amountOfMoney = new RegExp(String.raw`\p{Sc}\s?\d|\d[\d.,'’\s]*${currency}`, 'iu')
const digits = String.raw`(?<!\d)(?:\d{1,3}(?:[\s.,'’]\d{3})+(?:[.,]\d{1,2})?|\d[\d.,]*)(?:\s?(?:k|Mio|million|bn)\b)?`
const priced = new RegExp(`${currency}\\s*(${digits})|(${digits})(?:,?[-–])?\\s*${currency}`, 'iu')

/** The number beside a sign or code of money; where a text has none, its first number. */
export function readPrice(text: string, language = ''): number | undefined {
  const [, behind, before] = priced.exec(text.slice(0, longest).normalize('NFKC')) ?? []
  return readNumber(behind ?? before ?? text, language)
}

function parse(written: string, language: string): number | undefined {
  const digits = written.replace(/['’\s\u00A0\u202F]/g, '').replace('−', '-')
  const mark = decimalMark(digits, language)
  const plain = [...digits]
    .filter((sign) => /[\d-]/.test(sign) || sign === mark)
    .join('')
    .replace(',', '.')
  const value = Number(plain)
  return Number.isFinite(value) && Math.abs(value) < 1e15 ? value : undefined
}

const commaLanguages = /^(?:de|fr|es|it|pt|nl|da|sv|nb|no|fi|pl|cs|sk|hu|ro|bg|ru|uk|tr|el|id|vi|hr|sl)\b/i

/** Of two kinds the last is the decimal one; one before exactly three digits parts thousands where the language does so. */
function decimalMark(digits: string, language: string): '.' | ',' | undefined {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const at = Math.max(point, comma)
  if (at < 0) return undefined
  const sign = point >= 0 ? '.' : ','
  if (digits.indexOf(sign) !== at) return undefined
  const isThousand = digits.length - at === 4 && !/^-?0[.,]/.test(digits)
  const decimal = commaLanguages.test(language) ? ',' : '.'
  return isThousand && sign !== decimal ? undefined : sign
}

/** The number in a price as programs write it: before three digits a comma parts thousands, one point is decimal. */
export function readAmount(text: string): number | undefined {
  if (text.length > 60 || /-\s*[^\d\s]?\s*\d/.test(text)) return undefined
  const [digits] = text.match(/\d[\d.,'’\s]*/) ?? []
  const amount = digits === undefined ? undefined : parse(digits.replace(/[.,'’\s]+$/, ''), '')
  return amount !== undefined && amount < 1e12 ? amount : undefined
}

/** Signs that stand for one currency alone; a dollar sign or a yen sign does not. */
const signs: Record<string, string> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₩': 'KRW', '₺': 'TRY', '₪': 'ILS' },
}

const codes = new Set(Intl.supportedValuesOf('currency'))

/** The ISO code that a text states, if any. */
export function readCurrency(text: string | undefined): string | undefined {
  if (!text || text.length > 60) return undefined
  const alone = /^\s*([a-z]{3})\s*$/i.exec(text)?.[1]?.toUpperCase()
  if (alone !== undefined) return alone
  // Beside the number: other words of three capitals are no currency.
  const [, before, behind] = /\b([A-Z]{3})\s?[\d$€£]|\d\s?[$€£]?\s?([A-Z]{3})\b/.exec(text) ?? []
  const code = before ?? behind
  if (code !== undefined && codes.has(code)) return code
  return Object.entries(signs).find(([sign]) => text.includes(sign))?.[1]
}

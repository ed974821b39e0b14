/**
 * The number in a price. Of two kinds of separators the last is the decimal one; a comma before three digits
 * parts thousands, a point before three digits does so only when there is more than one: machines write a
 * decimal point.
 */
export function readAmount(text: string): number | undefined {
  if (text.length > 60) return undefined
  const digits = text.match(/\d[\d.,'\u2019\s\u00A0\u202F]*/)?.[0]?.replace(/[\s\u00A0\u202F'\u2019]/g, '')
  if (!digits || /-\s*[^\d\s]?\s*\d/.test(text)) return undefined
  const decimal = decimalMark(digits.replace(/[.,]+$/, ''))
  const whole = [...digits].filter((character) => /\d/.test(character) || character === decimal).join('')
  const amount = Number(whole.replace(',', '.'))
  return Number.isFinite(amount) && amount < 1e12 ? amount : undefined
}

function decimalMark(digits: string): '.' | ',' | undefined {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  if (point >= 0) return digits.indexOf('.') === point ? '.' : undefined
  const isDecimalComma = comma >= 0 && digits.indexOf(',') === comma && digits.length - comma !== 4
  return isDecimalComma ? ',' : undefined
}

/** Signs that stand for one currency alone; a dollar sign or a yen sign does not. */
const signs: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₩': 'KRW',
  '₺': 'TRY',
  '₪': 'ILS',
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

import { readNumber } from '../../reading/values/number.ts'
import { currencyOf, type Locale } from './currency.ts'
import type { MenuPrice } from './draft.ts'

/** A price in a line of a page. */
export interface ShownPrice {
  start: number
  end: number
  price: MenuPrice
}

const codes =
  'EUR|USD|GBP|CHF|CAD|AUD|NZD|SGD|HKD|TWD|JPY|CNY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|ILS|INR|KRW|THB|VND|IDR|MYR|PHP|BRL|MXN|ARS|CLP|COP|PEN|ZAR|AED|SAR|MAD|RUB|UAH'
const signBefore = `${codes}|(?:US|AU|CA|NZ|HK|NT|MX|A|C|S|R)?\\$|€|£|¥|￥|₹|₩|₺|₪|฿|₫|₱|₽|₴|S?Fr\\.?|RM|Rp\\.?|Rs\\.?|[Kk]r\\.?`
const signAfter = `${codes}|€|£|\\$|¥|￥|₹|₩|₺|₪|฿|₫|₱|₽|₴|円|元|원|zł|Kč|[Kk]r\\.?|Ft|[Ll]ei|лв\\.?|руб\\.?|грн\\.?|[Ee]uros?|TL|DH|:-`
const space = '[ \\u00a0\\u202f]'
const amount = `\\d{1,3}(?:[.,'’ \\u00a0\\u202f]\\d{3}){1,2}(?:[.,]\\d{1,2})?(?!\\d)|\\d{1,6}(?:[.,]\\d{1,2})?(?!\\d)`
const dash = `(?:[.,]${space}?[-–—]{1,2})?`
/** What makes a number with two decimals something else. */
const unit = `${space}?(?:%|°|[cdm]?l\\b|k?g\\b|oz\\b|[cmk]?m\\b|h\\b|[ap]\\.?m\\b|uhr\\b|k?cal\\b|kj\\b|vol\\b)`
const pattern = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(${signBefore})${space}?(${amount})${dash}`,
    `(?<![\\p{L}\\p{N}.,])(${amount})${dash}${space}?(${signAfter})(?!\\p{L})`,
    `(?<![\\p{L}\\p{N}.,:])(\\d{1,4}[.,]\\d{2})(?![\\p{N}\\p{L}.]|${unit})`,
    `(?<![\\p{L}\\p{N}.,])(\\d{1,4})[.,]${space}?[-–—]{1,2}(?![\\p{N}\\p{L}])`,
  ].join('|'),
  'gu',
)
/** A line that is longer is a text about prices. */
export const longestLine = 600
const hours = /\d{1,2}[.:]\d{2}\s?(?:h|uhr|am|pm)?\s?(?:[-–—]|bis|to|à|a)\s?\d{1,2}[.:]\d{2}/i

/** The prices that a line of text shows, in order. A bare number counts with two decimals only. */
export function shownPrices(text: string, locale: Locale): ShownPrice[] {
  if (text.length > longestLine || !/\d/.test(text)) return []
  const found: ShownPrice[] = []
  const areHours = hours.test(text)
  for (const match of text.matchAll(pattern)) {
    const [written, before, afterSign, plain, behind, decimal, dashed] = match
    const sign = before ?? behind
    if (sign === undefined && areHours) continue
    const price = priceOf(afterSign ?? plain ?? decimal ?? dashed ?? '', { sign, written, locale })
    if (price) found.push({ start: match.index, end: match.index + written.length, price })
  }
  return found
}

/** A bare number that stands where prices stand. */
export function barePrice(text: string, locale: Locale): MenuPrice | undefined {
  const trimmed = text.trim()
  return /^\d{1,3}(?:[.,]\d{1,2})?$/.test(trimmed)
    ? priceOf(trimmed, { sign: undefined, written: trimmed, locale })
    : undefined
}

export function priceOf(
  digits: string,
  { sign, written, locale }: { sign: string | undefined; written: string; locale: Locale },
): MenuPrice | undefined {
  const value = readNumber(digits, locale.language)
  if (value === undefined || value < 0 || value > 1e8) return undefined
  const currency = sign === undefined ? undefined : currencyOf(sign, locale)
  return { amount: value, ...(currency && { currency }), formatted: written.trim() }
}

import { readCurrency } from '../values/money.ts'
import type { Found } from './found.ts'
import type { Slot } from './slots.ts'

/** Concepts whose texts state an amount of money. */
const amounts = new Set(['price', 'rent', 'salary', 'salaryMin', 'salaryMax', 'originalPrice', 'deposit'])
const score = 0.5
/** Where a sign stands for several currencies, the country of the page says which. */
const bySign: readonly (readonly [sign: RegExp, language: RegExp, code: string])[] = [
  [/\$/, /^en-us$/i, 'USD'],
  [/\$/, /^en-ca$|^fr-ca$/i, 'CAD'],
  [/\$/, /^en-au$/i, 'AUD'],
  [/¥|円/, /^ja/i, 'JPY'],
  [/¥|元/, /^zh/i, 'CNY'],
  [/\bkr\b/i, /^sv/i, 'SEK'],
  [/\bkr\b/i, /^(?:nb|nn|no)/i, 'NOK'],
  [/\bkr\b/i, /^da/i, 'DKK'],
  [/zł/i, /^pl/i, 'PLN'],
]

/** The currency of an amount that was read from the same page. */
export function addCurrencies(found: Map<string, Found>, slots: readonly Slot[], language: string): void {
  const wanted = slots.filter(({ names, path }) => names.concept === 'currency' && !found.has(path))
  if (wanted.length === 0) return
  for (const { names, path } of slots) {
    const amount = amounts.has(names.concept ?? '') || names.bound ? found.get(path) : undefined
    const code = amount && currencyIn(amount.text, language)
    if (!amount || code === undefined) continue
    for (const slot of wanted) found.set(slot.path, { ...amount, value: code, score })
    return
  }
}

function currencyIn(text: string, language: string): string | undefined {
  const stated = readCurrency(text.slice(0, 60))
  if (stated !== undefined && /^[A-Z]{3}$/.test(stated)) return stated
  return bySign.find(([sign, spoken]) => sign.test(text) && spoken.test(language))?.[2]
}

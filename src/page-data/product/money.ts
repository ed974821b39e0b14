import { readAmount, readCurrency } from '../../reading/values/money.ts'
import { type Price, stated } from './draft.ts'

/** A price as a source gives it: a number, or text with or without a currency in it. */
export function readPrice(value: unknown, currency?: string): Price | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const amount = readAmount(text)
  if (amount === undefined) return undefined
  const isShown = /[^\d.,\s]/.test(text)
  return stated({
    amount,
    currency: readCurrency(currency) ?? (isShown ? readCurrency(text) : undefined),
    formatted: isShown ? text : undefined,
  })
}

import { describe, expect, it } from 'vitest'
import { readAmount, readCurrency } from '../../values/number.ts'
import { readPrice } from './values.ts'

describe('price amount', () => {
  it.each([
    ['19.99', 19.99],
    ['19,99', 19.99],
    ['1,299.00', 1299],
    ['1.299,00', 1299],
    ['1.299.000', 1299000],
    ['1,299', 1299],
    ['12.500', 12.5],
    ['1 299,50 €', 1299.5],
    ['$ 1,299.00', 1299],
    ["CHF 1'299.90", 1299.9],
    ['19.-', 19],
    ['0', 0],
  ])('of %j is %d', (text, amount) => {
    expect(readAmount(text)).toBe(amount)
  })

  it.each(['', 'free', '-5.00', '€ -3', '9'.repeat(100)])('is undefined for %j', (text) => {
    expect(readAmount(text)).toBeUndefined()
  })
})

describe('price currency', () => {
  it.each([
    ['eur', 'EUR'],
    ['19.99 USD', 'USD'],
    ['€ 19', 'EUR'],
    ['$19', undefined],
    ['19.99', undefined],
    ['incl. VAT', undefined],
  ])('of %j is %j', (text, code) => {
    expect(readCurrency(text)).toBe(code)
  })

  it('is the stated code, not the symbol in the text', () => {
    expect(readPrice('$19.00', 'CAD')).toEqual({ amount: 19, currency: 'CAD', formatted: '$19.00' })
  })

  it('is undefined if there is neither a code nor a symbol', () => {
    expect(readPrice(19)).toEqual({ amount: 19 })
  })
})

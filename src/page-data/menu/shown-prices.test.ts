import { describe, expect, it } from 'vitest'
import { currencyOf } from './currency.ts'
import { barePrice, shownPrices } from './shown-prices.ts'

const at = (language = 'en', host = 'a.example', country?: string) => ({ language, host, country })

describe('prices in a line', () => {
  it.each([
    ['Soup £6.50', 'en-GB', [[6.5, 'GBP', '£6.50']]],
    ['Suppe 6,50 €', 'de', [[6.5, 'EUR', '6,50 €']]],
    ['Soupe 12€', 'fr', [[12, 'EUR', '12€']]],
    ['Soep € 7,-', 'nl', [[7, 'EUR', '€ 7,-']]],
    ['Steak $1,200.50', 'en-US', [[1200.5, 'USD', '$1,200.50']]],
    ['Rösti CHF 24.50', 'de-CH', [[24.5, 'CHF', 'CHF 24.50']]],
    ['Lax 189:-', 'sv', [[189, 'SEK', '189:-']]],
    ['Żurek 18 zł', 'pl', [[18, 'PLN', '18 zł']]],
    ['Gulyás 2 450 Ft', 'hu', [[2450, 'HUF', '2 450 Ft']]],
    ['定食 1,200円', 'ja', [[1200, 'JPY', '1,200円']]],
    ['Phở 85.000₫', 'vi', [[85000, 'VND', '85.000₫']]],
    ['Feijoada R$ 45,90', 'pt-BR', [[45.9, 'BRL', 'R$ 45,90']]],
    [
      'Wine 0,2 l 5,50 0,75 l 19,00',
      'de',
      [
        [5.5, undefined, '5,50'],
        [19, undefined, '19,00'],
      ],
    ],
    ['Burger 9.50', 'en', [[9.5, undefined, '9.50']]],
  ])('%s (%s)', (text, language, expected) => {
    const found = shownPrices(text, at(language)).map(({ price }) => [
      price.amount,
      price.currency,
      price.formatted,
    ])
    expect(found).toEqual(expected)
  })

  it.each([
    'Open 11.30 - 22.00',
    'Since 24.12. closed',
    'Room 101',
    '0.75 l of water, 12.5% vol',
    'Contains 3.50 g of salt',
    'Version 1.2.3',
    `${'long '.repeat(200)} £5`,
  ])('are not seen in %j', (text) => {
    expect(shownPrices(text, at())).toEqual([])
  })

  it('may be numbers alone where prices stand', () => {
    expect(barePrice('16', at())).toEqual({ amount: 16, formatted: '16' })
    for (const text of ['2026', 'a 16', '', '1.234']) expect(barePrice(text, at())).toBeUndefined()
  })
})

describe('a sign of several currencies', () => {
  it.each([
    ['$', at('en-CA'), 'CAD'],
    ['$', at('en', 'cafe.com.au'), 'AUD'],
    ['$', at('en', 'cafe.example', 'NZ'), 'NZD'],
    ['$', at('en'), undefined],
    ['kr', at('da'), 'DKK'],
    ['kr.', at('en', 'kro.no'), 'NOK'],
    ['¥', at('zh-CN'), 'CNY'],
    ['¥', at('en'), undefined],
  ])('%s of %j means %s', (sign, locale, currency) => {
    expect(currencyOf(sign, locale)).toBe(currency)
  })
})

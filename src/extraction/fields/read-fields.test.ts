import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readJson } from '../read-json.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const yes = { type: 'boolean' }
const date = { type: 'string', format: 'date' }
const link = { type: 'string', format: 'uri' }
const texts = { type: 'array', items: text }
const withDescription = (schema: object, description: string) => ({ ...schema, description })
const object = (properties: object) => ({ type: 'object', properties })

function read(html: string, properties: object, { title = '', language = 'en' } = {}): unknown {
  const url = 'https://museum.example/boats/7'
  const page = { url, base: url, language, title }
  return readJson(parseHtml(html), { type: 'object', properties }, page).value
}

describe('labels', () => {
  it('match names with the same stem, description words, or without general words', () => {
    const html = `<table><tr><th>Mooring fee</th><td>£40 monthly</td></tr><tr><th>Survey expires</th><td>5 May 2027</td></tr>
      <tr><th>Berths (max.)</th><td>6</td></tr><tr><th>Hull length</th><td>9.5 m</td></tr></table>`
    expect(
      read(html, {
        ...{ mooringFeeMonthly: number, survey_expiry: date, hullLengthCm: number },
        sleepers: withDescription(integer, 'How many berths there are'),
        draughtCm: number,
      }),
    ).toEqual({ mooringFeeMonthly: 40, survey_expiry: '2027-05-05', hullLengthCm: 950, sleepers: 6 })
  })

  it('do not match a field if they contain other words', () => {
    const html = '<p>Price per seat: $30</p><p>Annual tax amount: $900</p>'
    expect(read(html, { price: number, amountPaid: number })).toBeUndefined()
  })

  it('are read from a line with several values', () => {
    const html =
      '<h1>Skua</h1><p>Builder: Reed &amp; Sons · Launched: 1931 · Owner: Ann Lee</p><p><span>3 masts</span><span>2 cabins</span></p>'
    expect(read(html, { builder: text, launched: integer, masts: integer, cabins: integer })).toEqual({
      ...{ builder: 'Reed & Sons', launched: 1931, masts: 3, cabins: 2 },
    })
  })

  it('are followed by lists', () => {
    const html = `<div><div>Rigs</div><div><div>Gaff</div><div>Lug</div></div></div>
      <table><tr><td>Crew</td><td>Ann Lee<br>Bo Park</td></tr></table>`
    expect(read(html, { rigs: texts, crew: texts })).toEqual({
      rigs: ['Gaff', 'Lug'],
      crew: ['Ann Lee', 'Bo Park'],
    })
  })

  it('have values that are labels elsewhere', () => {
    const html =
      '<table><tr><td>Official website</td><td><a href="https://skua.example/">Visits</a></td></tr></table>'
    expect(read(html, { website: link })).toEqual({ website: 'https://skua.example/' })
  })

  it('are ignored if several records repeat them with different values', () => {
    const record = (at: number) => `<div><p>Boat ${at}</p><p>Tonnage: ${at}0</p></div>`
    expect(read([1, 2, 3, 4, 5].map(record).join(''), { tonnage: number })).toBeUndefined()
  })
})

describe('values with a known format', () => {
  it('reads flags, choices and units', () => {
    const html =
      '<h1>Skua</h1><ul><li>Dogs allowed</li><li>No heating</li><li>Lateen</li><li>1,240 sqft</li><li>Draught 4</li></ul>'
    expect(
      read(html, {
        ...{
          dogsAllowed: yes,
          hasHeating: yes,
          sails: { enum: ['lateen', 'square'] },
          deckAreaSqft: integer,
        },
        hasEngine: yes,
      }),
    ).toEqual({ dogsAllowed: true, hasHeating: false, sails: 'lateen', deckAreaSqft: 1240 })
  })

  it('reads prices and struck-through prices with their currency', () => {
    const html =
      '<h1>Oar</h1><div><span>RRP <s>£30.00</s></span> <span>£24.50</span><small>plus £3 shipping</small></div>'
    expect(read(html, { price: number, rrp: number, currency: text })).toEqual({
      ...{ price: 24.5, rrp: 30, currency: 'GBP' },
    })
  })

  it('reads the ends of number ranges', () => {
    const html = '<h1>Regatta</h1><p>Dates: June 12–14, 2026</p><p>Prices: 12,50 – 30,00 €</p>'
    const prices = object({ from: number, to: number })
    expect(read(html, { startDate: date, prices }, { language: 'de' })).toEqual({
      ...{ startDate: '2026-06-12', prices: { from: 12.5, to: 30 } },
    })
  })

  it('reads the parts of an address', () => {
    const html = '<h1>Boathouse</h1><p>12 Maple Ave<br>Bend, OR 97701</p>'
    expect(read(html, { address: object({ street: text, city: text, state: text, zip: text }) })).toEqual({
      address: { street: '12 Maple Ave', city: 'Bend', state: 'OR', zip: '97701' },
    })
  })
})

describe('other entities', () => {
  it('do not provide their names, images or URLs for the page subject', () => {
    const html = '<title>Skua</title><h1>Skua</h1><p>A boat of oak and larch, built for herring.</p>'
    expect(read(html, { name: text, harbourName: text, ownerUrl: link }, { title: 'Skua' })).toEqual({
      name: 'Skua',
    })
  })

  it('below a heading such as "Similar homes" are not the subject', () => {
    const html =
      '<main><h1>Skua</h1><p>A boat of oak and larch, built for herring, and still afloat.</p><p>It sails on Sundays.</p><h2>Similar boats</h2><p>Tonnage: 90</p></main>'
    expect(read(html, { tonnage: number })).toBeUndefined()
  })
})

describe('embedded page state', () => {
  const state = (value: object) =>
    `<script id="__DATA__" type="application/json">${JSON.stringify(value)}</script>`

  it('is read if it matches the heading', () => {
    const boat = { title: 'Skua', tonnage: 31, builder: { name: 'Reed' }, priceInfo: { price: 2450 }, id: 9 }
    const html = `<h1>Skua</h1><p>31 tons</p><p>$24.50</p>${state({ page: { boat, others: [{ title: 'Tern', tonnage: 12 }] } })}`
    expect(read(html, { title: text, tonnage: number, builder: text })).toEqual({
      ...{ title: 'Skua', tonnage: 31, builder: 'Reed' },
    })
  })

  it('is ignored if it describes something else', () => {
    const html = `<h1>Skua</h1>${state({ user: { title: 'Guest', tonnage: 3 } })}`
    expect(read(html, { title: text, tonnage: number })).toEqual({ title: 'Skua' })
  })
})

it('reads properties that structured data names itself', () => {
  const item = {
    '@type': 'Product',
    name: 'Sextant',
    sameAs: ['https://www.facebook.com/sextant', 'https://x.example/s'],
    additionalProperty: [{ '@type': 'PropertyValue', name: 'Arc radius', value: 162, unitText: 'mm' }],
  }
  const html = `<script type="application/ld+json">${JSON.stringify(item)}</script>`
  expect(read(html, { name: text, arcRadiusCm: number, facebook: link })).toEqual({
    ...{ name: 'Sextant', arcRadiusCm: 16.2, facebook: 'https://www.facebook.com/sextant' },
  })
})

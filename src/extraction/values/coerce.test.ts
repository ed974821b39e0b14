import { describe, expect, it } from 'vitest'
import { readPostalAddress } from '../fields/from-addresses.ts'
import { readBound, readClock, readMeasure } from './coerce.ts'
import { isoDate, readDate, readLastDate } from './date.ts'
import { readPrice } from './number.ts'
import { readChoice } from './plain-value.ts'

describe('readMeasure', () => {
  const kilogram = { of: 'mass', size: 1000 } as const
  it.each([
    ['850 g', 0.85],
    ['2.5 kg', 2.5],
    ['7', 7],
    ['30 cm', undefined],
    ['Length 2 m, 12 kg', 12],
  ])('reads %j in kilograms as %j', (text, value) => {
    expect(readMeasure(text, kilogram, 'en')).toBe(value)
  })
})

describe('readBound', () => {
  it.each([
    ['$40,000 – $55,500 a year', 40_000, 55_500],
    ['40–55k', 40_000, 55_000],
    ['12,50 € bis 30 €', 12.5, 30],
    ['from $20', 20, undefined],
    ['up to 90', undefined, 90],
    ['17', 17, 17],
  ])('reads both ends of %j', (text, low, high) => {
    const language = text.includes('bis') ? 'de' : 'en'
    expect([readBound(text, 'low', language), readBound(text, 'high', language)]).toEqual([low, high])
  })
})

describe('readPrice', () => {
  it.each([
    ['2 tickets, 1 000,50 € each', 1000.5],
    ['Lot 7: £12.10', 12.1],
    ['CHF 35.–', 35],
  ])('reads %j as %j, the number next to the currency', (text, value) => {
    expect(readPrice(text, text.includes('€') ? 'fr' : 'en')).toBe(value)
  })
})

it('readDate reads the short form of a time', () => {
  expect(readDate('May 6, 2026 7:30p')).toMatchObject({ day: 6, time: { hours: 19, minutes: 30 } })
})

describe('readDate and readLastDate', () => {
  it.each([
    ['2 March @ 10:00 – 4 March 2026', '2026-03-02', '2026-03-04'],
    ['June 12–14, 2026', '2026-06-12', '2026-06-14'],
    ['Del 12 al 14 de junio de 2026', '2026-06-12', '2026-06-14'],
    ['5 May 2026', '2026-05-05', '2026-05-05'],
  ])('read the first and the last day of %j', (text, first, last) => {
    const [from, to] = [readDate(text), readLastDate(text)]
    expect([from && isoDate(from), to && isoDate(to)]).toEqual([first, last])
  })
})

it.each([
  ['Tue, 3.5.2026, 7:30 pm', '19:30'],
  ['2026-05-03T09:05:00Z', '09:05'],
  ['20 Uhr', '20:00'],
  ['7:30p', '19:30'],
  ['12:15a, doors at 7:30 a bit earlier', '00:15'],
  ['3.5.2026', undefined],
])('readClock reads the time of day in %j as %j', (text, time) => {
  expect(readClock(text)).toBe(time)
})

it.each([
  [
    '12 Maple Ave, Bend, OR 97701',
    { street: '12 Maple Ave', city: 'Bend', region: 'OR', postalCode: '97701' },
  ],
  ['Am Kai 5, 20457 Hamburg', { street: 'Am Kai 5', city: 'Hamburg', postalCode: '20457' }],
  ['9 Quay Street, Bristol BS1 4QA', { street: '9 Quay Street', city: 'Bristol', postalCode: 'BS1 4QA' }],
  ['We sold 2000 Boats', undefined],
])('readPostalAddress reads %j', (text, address) => {
  expect(readPostalAddress(text)).toEqual(address)
})

it.each([
  ['Contractor', ['permanent', 'contract'], 'contract'],
  ['Petrol plug-in hybrid', ['petrol', 'diesel', 'hybrid'], 'hybrid'],
  ['Auf Lager', ['in_stock', 'out_of_stock', 'preorder'], 'in_stock'],
  ['Steam', ['petrol', 'diesel'], undefined],
])('readChoice reads %j, with the choices %j, as %j', (text, choices, choice) => {
  expect(readChoice(text, choices)).toBe(choice)
})

import { describe, expect, it } from 'vitest'
import { baselineAnswer } from './baseline.ts'
import { countEvidence } from './evidence.ts'
import { isRight } from './right.ts'
import { scoreAnswer } from './score.ts'
import { pagesOf } from './sites/all.ts'
import { date, integer, list, number, object, oneOf, text, url, yes } from './sites/schema.ts'
import { Either, type Expected, type ExpectedValue, either, maybe } from './sites/template.ts'
import { precision, recall, tallyOf } from './tally.ts'

const base = 'http://127.0.0.1:8080/shop/page.html'

describe('a value', () => {
  it('of text may miss a word of four', () => {
    expect(isRight('Pour over kettle black', 'Pour over kettle', text(), base)).toBe(true)
    expect(isRight('Pour over kettle', 'Kettle', text(), base)).toBe(false)
    expect(isRight('電気ケトル ブラック', '電気ケトル ブラック 1.2L', text(), base)).toBe(true)
  })

  it('that is a number to call may have other signs', () => {
    expect(isRight('+44 (0)1632 960123', '01632 960123', text(), base)).toBe(true)
    expect(isRight('+44 (0)1632 960123', '01632 960124', text(), base)).toBe(false)
  })

  it('of a number must be exact and a number', () => {
    expect(isRight(19.99, 19.99, number(), base)).toBe(true)
    expect(isRight(19.99, 20, number(), base)).toBe(false)
    expect(isRight(19.99, '19.99', number(), base)).toBe(false)
  })

  it('of a date is compared by its day', () => {
    expect(isRight('2026-03-12', '2026-03-12T18:30:00+01:00', date(), base)).toBe(true)
    expect(isRight('2026-03-12', '2026-12-03', date(), base)).toBe(false)
    expect(isRight('2026-03-12', '12 March 2026', date(), base)).toBe(false)
  })

  it('of an address is resolved, and its size and query do not count', () => {
    expect(isRight('/a/b.jpg', 'http://127.0.0.1:8080/a/b-300x200.jpg?v=1', url(), base)).toBe(true)
    expect(isRight('/a/b.jpg', 'https://other.example/a/b.jpg', url(), base)).toBe(false)
  })

  it('of an enumeration or a boolean must be the same', () => {
    expect(isRight('in_stock', 'In stock', oneOf(['in_stock']), base)).toBe(false)
    expect(isRight(false, false, yes(), base)).toBe(true)
  })

  it('of a list is compared by the F1 of its entries', () => {
    const words = list(text())
    expect(isRight(['one', 'two', 'three'], ['three', 'one', 'two', 'four'], words, base)).toBe(true)
    expect(isRight(['one', 'two'], ['one'], words, base)).toBe(false)
  })

  it('that is stated in several ways may be any of them', () => {
    expect(isRight(either('Partner', 'Senior Partner'), 'Partner', text(), base)).toBe(true)
  })
})

describe('an answer', () => {
  const schema = object({
    name: text(),
    size: object({ height: integer() }),
    rows: list(object({ title: text(), price: number() })),
    isFree: yes(),
  })
  const tally = (want: Expected, got: unknown) => tallyOf([scoreAnswer(schema, want, got, base)])

  it('is counted by its fields, nested ones too', () => {
    const all = tally({ name: 'Ann', size: { height: 4 } }, { name: 'Ann', size: { height: 5 } })
    expect(all).toMatchObject({ wanted: 2, filled: 2, right: 1 })
    expect([recall(all), precision(all)]).toEqual([0.5, 0.5])
  })

  it('is wrong where it fills what the page does not state', () => {
    const all = tally({ name: 'Ann' }, { name: 'Ann', isFree: false, size: { height: 3 } })
    expect(all).toMatchObject({ wanted: 1, filled: 3, right: 1, invented: 2 })
  })

  it('is wrong where it fills what was not asked for', () => {
    expect(tally({ name: 'Ann' }, { name: 'Ann', age: 3 })).toMatchObject({ filled: 2, invented: 1 })
  })

  it('may leave out what the page only implies', () => {
    const want = { name: 'Ann', isFree: maybe(false) }
    expect(tally(want, { name: 'Ann' })).toMatchObject({ wanted: 1, filled: 1, right: 1 })
    expect(tally(want, { name: 'Ann', isFree: false })).toMatchObject({ wanted: 1, filled: 1, right: 1 })
    expect(tally(want, { name: 'Ann', isFree: true })).toMatchObject({ wanted: 1, filled: 2, right: 1 })
  })

  it('has its rows paired in order, past missing and surplus ones', () => {
    const rows = ['One', 'Two', 'Three'].map((title, place) => ({ title, price: place }))
    const got = [
      { title: 'Advertisement', price: 99 },
      { title: 'One', price: 0 },
      { title: 'Three', price: 7 },
    ]
    expect(tally({ rows }, { rows: got })).toMatchObject({ wanted: 6, filled: 6, right: 3, invented: 2 })
  })

  it('leaves nothing filled when it is empty', () => {
    expect(tally({ name: 'Ann' }, undefined)).toMatchObject({ wanted: 1, filled: 0, right: 0 })
    expect(tally({ name: 'Ann' }, { name: null, rows: [], size: {} })).toMatchObject({ filled: 0 })
  })

  it('names its fields as evidence does', () => {
    const fields = scoreAnswer(schema, { rows: [{ title: 'One' }] }, { rows: [{ title: 'One' }] }, base)
    expect(fields.filter((field) => field.isRight).map((field) => field.path)).toEqual(['rows[0].title'])
  })
})

describe('the truth of every page', () => {
  it('is a perfect answer for its page', () => {
    for (const page of pagesOf(['development', 'kept-back'])) {
      for (const { expected } of [page.whole, page.stripped]) {
        const all = tallyOf([scoreAnswer(page.schema, expected, answered(expected), base)])
        expect([page.id, recall(all), precision(all)]).toEqual([page.id, 1, 1])
      }
    }
  })

  function answered(value: ExpectedValue): unknown {
    if (value instanceof Either) return value.values[0]
    if (Array.isArray(value)) return value.map(answered)
    if (typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, answered(one)]))
  }
})

describe('a few lines of code', () => {
  it('answer the property of the same name, and the heading', () => {
    const node = { '@graph': [{ sku: 'A1', brand: { name: 'Fell' }, price: '12.50' }] }
    const page = `<title>Shop</title><meta name="description" content="About it"><script type="application/ld+json">${JSON.stringify(node)}</script><h1>Kettle</h1>`
    const schema = object({
      title: text(),
      sku: text(),
      brand: text(),
      price: number(),
      description: text(),
      ean: text(),
    })
    expect(baselineAnswer(page, schema)).toEqual({
      title: 'Kettle',
      sku: 'A1',
      brand: 'Fell',
      price: 12.5,
      description: 'About it',
    })
  })
})

describe('evidence', () => {
  it('is counted by filled field and by quote', () => {
    const schema = object({ name: text(), tags: list(text()), price: number() })
    const answer = { name: 'Kettle', tags: ['new'], price: 5 }
    const fields = scoreAnswer(schema, { name: 'Kettle' }, answer, base)
    const evidence = {
      name: { text: 'Kettle', reader: 'title' },
      'tags[0]': { text: 'brand new', reader: 'labels' },
    }
    expect(countEvidence(fields, evidence, '<h1>Kettle</h1>')).toEqual({
      filled: 3,
      covered: 2,
      quoted: 1,
    })
  })
})

import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { pagesOf, templates } from './all.ts'
import { plantings } from './planted.ts'
import { unstated } from './stated.ts'

const pages = pagesOf(['development', 'kept-back'])
const verticals = [...new Set(pages.map(({ vertical }) => vertical))]

describe('the pages', () => {
  it('are the same in every run', () => {
    expect(pagesOf(['development', 'kept-back'])).toEqual(pages)
  })

  it('have at least six templates for each vertical, half of them kept back', () => {
    for (const vertical of verticals) {
      for (const half of ['development', 'kept-back'] as const) {
        expect(templates[half].filter((template) => template.vertical === vertical).length).toBeGreaterThan(2)
      }
    }
  })

  it('of one template have different values', () => {
    for (const { id, whole } of pages.filter(({ id }) => id.endsWith('/0'))) {
      const second = pages.find((page) => page.id === id.replace(/0$/, '1'))
      expect(second?.whole.expected, id).not.toEqual(whole.expected)
    }
  })

  it('state every value that is expected of them', () => {
    for (const { id, schema, whole, stripped } of pages) {
      expect(unstated(whole.expected, schema, whole.html), `${id} with structured data`).toEqual([])
      expect(unstated(stripped.expected, schema, stripped.html), `${id} without`).toEqual([])
    }
  })

  it('have structured data that can be read, and none in the other form', () => {
    for (const { id, whole, stripped } of pages) {
      const $ = load(whole.html)
      const scripts = $('script[type$="json"]').toArray()
      for (const script of scripts) expect(() => JSON.parse($(script).text()), id).not.toThrow()
      expect(whole.html.length, id).toBeGreaterThan(stripped.html.length)
      const marks = '[itemprop], [itemtype], [typeof], [property], script[type$="json"]'
      expect(load(stripped.html)(marks).length, id).toBe(0)
    }
  })
})

describe('the plantings', () => {
  it('are twenty, and each changes a page but not what it states', () => {
    expect(Object.keys(plantings)).toHaveLength(20)
    for (const [place, [name, plant]] of Object.entries(plantings).entries()) {
      const page = pages[place * 5]
      if (!page) throw new Error('There are fewer pages than plantings.')
      const planted = plant(page.whole.html)
      expect(planted, name).not.toBe(page.whole.html)
      expect(unstated(page.whole.expected, page.schema, planted), name).toEqual([])
    }
  })
})

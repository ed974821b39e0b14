import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { productOf } from './product.ts'

function read(html: string) {
  const url = 'https://shop.example/lamps/arc?ref=mail'
  const found = productOf(parseHtml(html), { url, base: 'https://shop.example/lamps/' })
  return found.ok ? found.product : found.reason
}

describe('hostile product data', () => {
  it.each(['\nvar a = [{"b": [', '\nvar a = ["b', '\nvar a = [{"b": 1}, /*'])(
    'finishes in time for scripts with many unfinished objects: %j',
    (part) => {
      expect(read(`<h1>Arc Lamp</h1><script>${part.repeat(200_000)}</script>`)).toContain('no product')
    },
  )

  it('finds no product in a state of 100,000 objects without a price', () => {
    const state = JSON.stringify(Array.from({ length: 100_000 }, () => ({ name: 'Arc Lamp', price: {} })))
    expect(read(`<h1>Arc Lamp</h1><script type="application/json">${state}</script>`)).toContain('no product')
  })
})

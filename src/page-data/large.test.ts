import { describe, expect, it } from 'vitest'
import { parseHtml } from '../content/tree/parse.ts'
import { menuOf } from './menu/menu.ts'
import { productOf } from './product.ts'

function read(html: string) {
  const url = 'https://shop.example/lamps/arc?ref=mail'
  const found = productOf(parseHtml(html), { url, base: 'https://shop.example/lamps/' })
  return found.ok ? found.product : found.reason
}

describe('hostile product data', () => {
  it.each(['\nvar a = [{"b": [', '\nvar a = ["b', '\nvar a = [{"b": 1}, /*'])(
    'ends in time for scripts that break off again and again: %j',
    (part) => {
      expect(read(`<h1>Arc Lamp</h1><script>${part.repeat(200_000)}</script>`)).toContain('no product')
    },
  )

  it('finds nothing in a state of a hundred thousand objects without end', () => {
    const state = JSON.stringify(Array.from({ length: 100_000 }, () => ({ name: 'Arc Lamp', price: {} })))
    expect(read(`<h1>Arc Lamp</h1><script type="application/json">${state}</script>`)).toContain('no product')
  })
})

describe('a hostile menu', () => {
  const url = 'https://lantern.example/menu'
  const sections = (html: string) =>
    menuOf(parseHtml(html), { url, base: url, metadata: { title: 'Menu' } }).menu.sections

  it.each([
    ['dots', '<p>Soup ........................ 5</p>'],
    ['prices', '<span>5,00 €</span> '],
    ['breaks', 'Soup £5<br>'],
    ['marks', '<p>Soup (V, V, V, V, V, V V V £5</p>'],
    ['depth', '<div class="item"><p>Soup £5</p>'],
    ['rows', '<table><tr><td>Soup<td>5,00<td>6,00</table>'],
    ['names of sections', '<h2>Soup</h2>'],
    ['dashes', '- - - - - - - - – — £5 - - -'],
  ])('ends in time with a hundred thousand %s, and with a bound', (_, part) => {
    const items = sections(part.repeat(100_000)).flatMap((section) => section.items)
    expect(items.length).toBeLessThanOrEqual(2000)
  })
})

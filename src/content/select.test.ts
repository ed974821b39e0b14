import { describe, expect, it } from 'vitest'
import { findInvalidSelector, select } from './select.ts'
import { parseHtml } from './tree/parse.ts'
import { tagName, textOf } from './tree/tree.ts'

const tree = parseHtml(
  '<div id=a class="x y"><p>1</p><iframe src="/v"></iframe></div><p data-k="v">2<br>3</p><i></i>',
)

describe('select', () => {
  it.each([
    ['p', 2],
    ['#a > p', 1],
    ['.x.y', 1],
    ['iframe[src^="/v"]', 1],
    ['[DATA-K]', 1],
    ['p:not([data-k])', 1],
    ['div:has(iframe)', 1],
    ['div + p', 1],
    ['div ~ i', 1],
    ['p:first-child', 1],
    [':last-child', 3],
    [':empty', 3],
    ['p:contains("2\n3")', 1],
    ['div *', 2],
    [':root', 3],
    ['svg', 0],
  ])('for %s finds %i elements', (selector, count) => {
    const found = select(tree, selector)
    expect(found.ok && found.nodes.length).toBe(count)
  })

  it('returns elements in document order, without duplicates', () => {
    const found = select(tree, 'iframe, p, div, p')
    expect(found.ok && found.nodes.map((node) => tagName(tree, node))).toEqual(['div', 'p', 'iframe', 'p'])
  })

  it('finds an attribute among thousands', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `a${index}=${index}`).join(' ')
    const crowded = parseHtml(`<p ${names}>x</p>`)
    const found = select(crowded, '[a4999="4999"]')
    expect(found.ok && found.nodes.map((node) => textOf(crowded, node))).toEqual(['x'])
  })

  it('matches combinators like css-select', () => {
    const parts = ['b', 'i', '[a]', 'b:first-child', 'i:not([a])', '*']
    const pick = <Item>(items: readonly Item[], random: () => number) =>
      items[Math.floor(random() * items.length)] as Item
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = seeded(seed)
      const open = () => `<${pick(['b', 'i', 'u'], random)}${random() < 0.5 ? ' a' : ''}>`
      const html = Array.from({ length: 20 }, () =>
        pick([open, open, () => '</b>', () => '</i>', () => 'text'], random)(),
      )
      const page = parseHtml(html.join(''))
      const selector = Array.from({ length: 4 }, () => pick(parts, random)).reduce(
        (left, right) => `${left}${pick([' ', '>', '~', '+'], random)}${right}`,
      )
      // Inside `:is()`, css-select matches the complete selector itself.
      expect([html.join(''), selector, select(page, selector)]).toEqual([
        html.join(''),
        selector,
        select(page, `:is(${selector})`),
      ])
    }
  })

  it.each(['p[', 'a::before', ':nonsense', '', '  ', '>>'])('reports %j as invalid', (selector) => {
    expect(findInvalidSelector(['p', selector])).toBe(1)
  })

  it('returns undefined if all selectors are valid', () => {
    expect(findInvalidSelector(['main, article', '#content .body', 'a[href*="x" i]'])).toBeUndefined()
  })
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

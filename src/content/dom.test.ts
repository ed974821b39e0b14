import { describe, expect, it } from 'vitest'
import { absoluteUrl, baseUrl, elementsOf, invalidSelector, parseHtml, select, textOf } from './dom.ts'

const base = 'https://example.test/a/b.html?q=1'

describe('absolute addresses', () => {
  it.each([
    ['c.html', 'https://example.test/a/c.html'],
    ['/c', 'https://example.test/c'],
    ['//other.test/c', 'https://other.test/c'],
    ['?x', 'https://example.test/a/b.html?x'],
    ['#top', 'https://example.test/a/b.html?q=1#top'],
    [' c d ', 'https://example.test/a/c%20d'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
  ])('resolve %s', (href, url) => {
    expect(absoluteUrl(href, base)).toBe(url)
  })

  it.each([
    '',
    '   ',
    'javascript:void(0)',
    'JavaScript:x',
    ' java\nscript:x',
    'data:text/html,x',
    'http://[',
    undefined,
  ])('are none for %j', (href) => {
    expect(absoluteUrl(href, base)).toBeUndefined()
  })
})

describe('the base of a page', () => {
  const baseOf = (html: string) => baseUrl(parseHtml(html).root, base)

  it('is its own address', () => {
    expect(baseOf('<p>')).toBe(base)
  })

  it('is the first base element with an address, itself resolved', () => {
    expect(baseOf('<base target=x><base href="/root/"><base href="/other/">')).toBe(
      'https://example.test/root/',
    )
  })

  it('is its own address when the base element is of no use', () => {
    expect(baseOf('<base href="javascript:x">')).toBe(base)
    expect(baseOf('<base href="data:text/html,x">')).toBe(base)
  })
})

describe('selecting', () => {
  const { root } = parseHtml(
    '<div id=a class="x y"><p>1</p><iframe src="/v"></iframe></div><p data-k="v">2</p>',
  )

  it.each([
    ['p', 2],
    ['#a > p', 1],
    ['.x.y', 1],
    ['iframe[src^="/v"]', 1],
    ['[data-k]', 1],
    ['p:not([data-k])', 1],
    ['div:has(iframe)', 1],
  ])('%s finds %i', (selector, count) => {
    const found = select(root, selector)
    expect(found.ok && found.elements.length).toBe(count)
  })

  it.each(['p[', 'a::before', ':nonsense', '', '  ', '>>'])('reports %j as invalid', (selector) => {
    expect(invalidSelector(['p', selector])).toBe(selector)
  })

  it('gives up on a selector that compares too many siblings', () => {
    const long = parseHtml('<p></p>'.repeat(20_000)).root
    expect(select(long, 'i ~ p')).toEqual({ ok: false, reason: 'costly' })
    expect(select(long, 'p + p').ok).toBe(true)
  })

  it('finds nothing wrong with valid selectors', () => {
    expect(invalidSelector(['main, article', '#content .body', 'a[href*="x" i]'])).toBeUndefined()
  })
})

describe('walking', () => {
  it('visits elements in document order and stays below the start', () => {
    const { root } = parseHtml('<ul><li><b>1</b><li><i>2</i></ul><p>3')
    const list = [...elementsOf(root)][0]
    expect(list && [...elementsOf(list)].map((element) => element.name)).toEqual(['li', 'b', 'li', 'i'])
    expect(list && textOf(list)).toBe('12')
  })
})

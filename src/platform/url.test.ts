import { describe, expect, it } from 'vitest'
import { hashRoute, pathTemplate, withoutUserinfo } from './url.ts'

const getRoute = (fragment: string) => hashRoute(new URL(`https://a.example/docs/${fragment}`))

describe('hashRoute', () => {
  it.each([
    ['#/guide', '#/guide'],
    ['#!/guide/deep', '#!/guide/deep'],
    ['#!about', '#!about'],
    ['#/search?q=x', '#/search?q=x'],
    ['#/product?id=42', '#/product?id=42'],
    ['#/order?id=0198c1de-7a2b-7c3d-8e4f-123456789abc', '#/order?id=0198c1de-7a2b-7c3d-8e4f-123456789abc'],
  ])('returns for %s the route %s', (fragment, route) => {
    expect(getRoute(fragment)).toBe(route)
  })

  it.each([
    ['#/guide?id=section', '#/guide'],
    ['#/guide?id=_2-steps', '#/guide'],
    ['#/guide?lang=de&id=section', '#/guide?lang=de'],
    ['#/guide#section', '#/guide'],
    ['#/guide?', '#/guide'],
  ])('returns for %s the route %s, without the anchor', (fragment, route) => {
    expect(getRoute(fragment)).toBe(route)
  })

  it.each(['', '#', '#section', '#id=section', '#/', '#!/', '#!', '#/?id=section'])(
    'returns undefined for "%s"',
    (fragment) => {
      expect(getRoute(fragment)).toBeUndefined()
    },
  )
})

const getTemplate = (path: string) => pathTemplate(new URL(path, 'https://a.example'))

describe('pathTemplate', () => {
  it.each([
    ['numbers', '/product/12', '/product/4711'],
    ['titles', '/blog/a-day-at-sea', '/blog/rain_in_may'],
    ['names in a folder', '/docs/intro', '/docs/usage'],
    ['names of one ending', '/manual/intro.html', '/manual/usage.HTML'],
    ['values of parameters', '/list?page=1&sort=a', '/list?sort=b&page=27'],
    ['what lies deep', '/a/b/c/d/e/f', '/a/b/c/d/x/y/z'],
  ])('returns one template for %s', (_, left, right) => {
    expect(getTemplate(left)).toBe(getTemplate(right))
  })

  it.each([
    ['folders', '/product/12', '/tag/12'],
    ['pages at the top', '/about', '/app'],
    ['a folder and its pages', '/docs/', '/docs/intro'],
    ['endings', '/docs/intro.html', '/docs/intro.pdf'],
    ['names of parameters', '/list?page=1', '/list?view=1'],
    ['hosts', '/x', 'https://b.example/x'],
  ])('returns different templates for %s', (_, left, right) => {
    expect(getTemplate(left)).not.toBe(getTemplate(right))
  })
})

describe('withoutUserinfo', () => {
  it.each([
    ['https://user:secret@example.com/a?b#c', 'https://example.com/a?b#c'],
    ['https://user@example.com/', 'https://example.com/'],
    ['https://:secret@example.com/', 'https://example.com/'],
    ['http:///user:secret@example.com/', 'http://example.com/'],
    ['http:\\\\user:secret@example.com/', 'http://example.com/'],
    ['http://us er:se cret@example.com/', 'http://example.com/'],
    ['http://user:se@cret@example.com/', 'http://example.com/'],
    ['user:1234@example.com/a', 'example.com/a'],
    ['failed at https://user:secret@example.com/a, then', 'failed at https://example.com/a, then'],
    ['socks5://u:secret@p:1 and http://v:secret@q', 'socks5://p:1 and http://q'],
  ])('removes user and password from %s', (text, expected) => {
    expect(withoutUserinfo(text)).toBe(expected)
    expect(withoutUserinfo(text)).not.toContain('cret')
  })

  it.each([
    'https://example.com/@name',
    'somebody@example.com',
    'https://example.com/?mail=a@b.example',
    'no',
  ])('does not change %s', (text) => {
    expect(withoutUserinfo(text)).toBe(text)
  })
})

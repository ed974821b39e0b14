import { describe, expect, it } from 'vitest'
import { absoluteUrl, baseUrl } from './addresses.ts'
import { parseHtml } from './tree/parse.ts'

const base = 'https://example.test/a/b.html?q=1'

describe('absoluteUrl', () => {
  it.each([
    ['c.html', 'https://example.test/a/c.html'],
    ['c/../d.html', 'https://example.test/a/d.html'],
    ['../c.html', 'https://example.test/c.html'],
    ['/c', 'https://example.test/c'],
    ['/./c/%2e%2E/d', 'https://example.test/d'],
    ['//other.test/c', 'https://other.test/c'],
    ['?x', 'https://example.test/a/b.html?x'],
    ['#top', 'https://example.test/a/b.html?q=1#top'],
    [' c d ', 'https://example.test/a/c%20d'],
    ['c?d=e:f', 'https://example.test/a/c?d=e:f'],
    ["/c?d='e'", 'https://example.test/c?d=%27e%27'],
    ['\\c', 'https://example.test/c'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
    ['https://other.test/c/?d#e', 'https://other.test/c/?d#e'],
    ['HTTPS://Other.TEST/C', 'https://other.test/C'],
    ['https://other.test', 'https://other.test/'],
    ['https://other.test:443/c', 'https://other.test/c'],
    ['https://other.test/c/../d', 'https://other.test/d'],
    ['https://bücher.test/ü', 'https://xn--bcher-kva.test/%C3%BC'],
    ['http://127.1/', 'http://127.0.0.1/'],
  ])('resolves %s', (href, url) => {
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
  ])('returns undefined for %j', (href) => {
    expect(absoluteUrl(href, base)).toBeUndefined()
  })

  it('keeps the user name and port of the base', () => {
    expect(absoluteUrl('/c', 'http://u:p@example.test:8080/a#b')).toBe('http://u:p@example.test:8080/c')
    expect(absoluteUrl('#c', 'http://example.test/a#b')).toBe('http://example.test/a#c')
  })

  it('resolves a path with a million segments', () => {
    const path = '/a'.repeat(1_000_000)
    expect(absoluteUrl(path, base)).toBe(`https://example.test${path}`)
  })
})

describe('baseUrl', () => {
  const baseOf = (html: string) => baseUrl(parseHtml(html), base)

  it('returns the page URL if the page has no base element', () => {
    expect(baseOf('<p>')).toBe(base)
  })

  it('returns the resolved URL of the first base element with an href', () => {
    expect(baseOf('<base target=x><base href="/root/"><base href="/other/">')).toBe(
      'https://example.test/root/',
    )
  })

  it('returns the page URL if the base element is unusable', () => {
    expect(baseOf('<base href="javascript:x">')).toBe(base)
    expect(baseOf('<base href="data:text/html,x">')).toBe(base)
  })
})

import { describe, expect, it } from 'vitest'
import { allMatch, compilePatterns } from './patterns.ts'
import { createScope, detectCrawlerTrap, redirectedBase, type ScopeOptions } from './scope.ts'

const usual: ScopeOptions = {
  entireDomain: false,
  subdomains: false,
  external: false,
  patterns: allMatch,
  now: 1.7e12,
}

function judge(start: string, url: string, options: Partial<ScopeOptions> = {}) {
  const judged = createScope(new URL(start), { ...usual, ...options })(new URL(url))
  if (!judged.belongs) return judged.reason
  return judged.isExternal ? 'external' : 'in'
}

describe('the scope', () => {
  it.each([
    ['https://a.example/', 'https://a.example/x/y', 'in'],
    ['https://a.example/', 'https://www.a.example/x', 'in'],
    ['https://a.example/', 'http://a.example/x', 'in'],
    ['https://a.example/docs', 'https://a.example/docs', 'in'],
    ['https://a.example/docs', 'https://a.example/docs/x', 'in'],
    ['https://a.example/docs/', 'https://a.example/docs', 'in'],
    ['https://a.example/docs/index.html', 'https://a.example/docs/x', 'in'],
    ['https://a.example/docs', 'https://a.example/docs-old', 'outside the start path'],
    ['https://a.example/docs', 'https://a.example/', 'outside the start path'],
    ['https://a.example/', 'https://b.example/', 'other site'],
    ['https://a.example/', 'https://shop.a.example/', 'other subdomain'],
    ['https://a.example/', 'https://a.example:8443/', 'other subdomain'],
    ['https://me.github.io/', 'https://you.github.io/', 'other site'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', 'other site'],
    ['https://a.example/', 'https://a.example/logo.png', 'file'],
    ['https://a.example/', 'https://a.example/report.pdf', 'in'],
    ['https://a.example/', 'https://a.example/a/a/a/a/a', 'trap'],
    ['https://a.example/', 'mailto:me@a.example', 'not http'],
  ])('of a crawl from %s says of %s: %s', (start, url, expected) => {
    expect(judge(start, url)).toBe(expected)
  })

  it('widens with its options', () => {
    expect(judge('https://a.example/docs', 'https://a.example/', { entireDomain: true })).toBe('in')
    expect(judge('https://a.example/', 'https://shop.a.example/', { subdomains: true })).toBe('in')
    expect(judge('https://x.a.co.uk/', 'https://y.a.co.uk/', { subdomains: true })).toBe('in')
    expect(judge('https://a.co.uk/', 'https://b.co.uk/', { subdomains: true })).toBe('other site')
  })

  it('reaches one step outside, but not to home pages', () => {
    expect(judge('https://a.example/', 'https://b.example/x', { external: true })).toBe('external')
    expect(judge('https://a.example/', 'https://b.example/', { external: true })).toBe(
      'home page of another site',
    )
  })

  it('asks the patterns last', async () => {
    const patterns = await compilePatterns({
      includePaths: ['^/blog'],
      excludePaths: [],
      regexOnFullURL: false,
    })
    expect(judge('https://a.example/', 'https://a.example/shop', { patterns })).toBe('include paths')
    expect(judge('https://a.example/', 'https://b.example/shop', { patterns })).toBe('other site')
  })
})

describe('a start that leads elsewhere', () => {
  it.each([
    ['https://a.example/', 'https://www.a.example/en/home?from=a#top', 'https://www.a.example/'],
    ['https://a.example/docs', 'https://docs.b.example/docs/start', 'https://docs.b.example/docs'],
    ['https://a.example/docs', 'https://docs.b.example/', 'https://docs.b.example/'],
    ['https://a.example/docs/', 'https://b.example/manual/', 'https://b.example/manual/'],
  ])('is at home there: %s → %s', (start, landed, home) => {
    expect(redirectedBase(new URL(start), new URL(landed))?.href).toBe(home)
  })

  it.each(['https://a.example/en/', 'http://a.example/'])(
    'stays where it is on its own host: %s',
    (landed) => {
      expect(redirectedBase(new URL('https://a.example/'), new URL(landed))).toBeUndefined()
    },
  )
})

const now = Date.UTC(2026, 5, 1)
const trap = (path: string) => detectCrawlerTrap(new URL(path, 'https://a.example/'), now)

describe('traps', () => {
  it.each([
    ['/blog/2024/05/12/a-day-at-the-sea'],
    ['/2024/05/'],
    ['/calendar/2027/01'],
    ['/events?date=2026-07-01'],
    ['/product/2031'],
    ['/a/b/c/a/b/c'],
    ['/list?page=3&sort=price&order=asc'],
    ['/year/1984'],
  ])('are not seen in %s', (path) => {
    expect(trap(path)).toBeUndefined()
  })

  it.each([
    ['/calendar/2099/01', 'calendar'],
    ['/calendar/2031-05-12', 'calendar'],
    ['/events?month=2040-01', 'calendar'],
    ['/events?date=19700101', 'calendar'],
    ['/a/b/a/b/a/b/a/b', 'repeats itself'],
    [`/${'x/'.repeat(4)}`, 'repeats itself'],
    [`/${Array.from({ length: 30 }, (_, index) => `s${index}`).join('/')}`, 'too deep'],
    [`/${'x'.repeat(2100)}`, 'too long'],
    [`/list?${Array.from({ length: 11 }, (_, index) => `f${index}=1`).join('&')}`, 'too many parameters'],
  ])('are seen in %s', (path, reason) => {
    expect(trap(path)).toBe(reason)
  })
})

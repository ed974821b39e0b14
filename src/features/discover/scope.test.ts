import { describe, expect, it } from 'vitest'
import { compilePatterns } from './patterns.ts'
import { createScope, detectCrawlerTrap, redirectedBase, type ScopeOptions } from './scope.ts'

const defaultOptions: ScopeOptions = {
  entireDomain: false,
  subdomains: false,
  external: false,
  now: 1.7e12,
}

function classify(start: string, url: string, options: Partial<ScopeOptions> = {}) {
  const decision = createScope(new URL(start), { ...defaultOptions, ...options })(new URL(url))
  if (!decision.belongs) return decision.reason
  return decision.isExternal ? 'external' : 'in'
}

describe('createScope', () => {
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
  ])('with start %s classifies %s as: %s', (start, url, expected) => {
    expect(classify(start, url)).toBe(expected)
  })

  it('accepts more URLs with entireDomain and subdomains', () => {
    expect(classify('https://a.example/docs', 'https://a.example/', { entireDomain: true })).toBe('in')
    expect(classify('https://a.example/', 'https://shop.a.example/', { subdomains: true })).toBe('in')
    expect(classify('https://x.a.co.uk/', 'https://y.a.co.uk/', { subdomains: true })).toBe('in')
    expect(classify('https://a.co.uk/', 'https://b.co.uk/', { subdomains: true })).toBe('other site')
  })

  it('accepts pages of other sites with external, except their home pages', () => {
    expect(classify('https://a.example/', 'https://b.example/x', { external: true })).toBe('external')
    expect(classify('https://a.example/', 'https://b.example/', { external: true })).toBe(
      'home page of another site',
    )
  })

  it('checks the patterns last', async () => {
    const patterns = await compilePatterns({
      includePaths: ['^/blog'],
      excludePaths: [],
      regexOnFullURL: false,
    })
    expect(classify('https://a.example/', 'https://a.example/shop', { patterns })).toBe('include paths')
    expect(classify('https://a.example/', 'https://b.example/shop', { patterns })).toBe('other site')
  })
})

describe('redirectedBase', () => {
  it.each([
    ['https://a.example/', 'https://www.a.example/en/home?from=a#top', 'https://www.a.example/'],
    ['https://a.example/docs', 'https://docs.b.example/docs/start', 'https://docs.b.example/docs'],
    ['https://a.example/docs', 'https://docs.b.example/', 'https://docs.b.example/'],
    ['https://a.example/docs/', 'https://b.example/manual/', 'https://b.example/manual/'],
  ])('returns the base on the new host: %s → %s', (start, finalUrl, base) => {
    expect(redirectedBase(new URL(start), new URL(finalUrl))?.href).toBe(base)
  })

  it.each(['https://a.example/en/', 'http://a.example/'])(
    'returns undefined on the same host: %s',
    (finalUrl) => {
      expect(redirectedBase(new URL('https://a.example/'), new URL(finalUrl))).toBeUndefined()
    },
  )
})

const now = Date.UTC(2026, 5, 1)
const detectTrap = (path: string) => detectCrawlerTrap(new URL(path, 'https://a.example/'), now)

describe('detectCrawlerTrap', () => {
  it.each([
    ['/blog/2024/05/12/a-day-at-the-sea'],
    ['/2024/05/'],
    ['/calendar/2027/01'],
    ['/events?date=2026-07-01'],
    ['/product/2031'],
    ['/a/b/c/a/b/c'],
    ['/list?page=3&sort=price&order=asc'],
    ['/year/1984'],
  ])('returns undefined for %s', (path) => {
    expect(detectTrap(path)).toBeUndefined()
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
  ])('detects a trap in %s: %s', (path, reason) => {
    expect(detectTrap(path)).toBe(reason)
  })
})

import { describe, expect, it } from 'vitest'
import { allWanted, compilePatterns } from './patterns.ts'
import { createScope, movedHome, type ScopeOptions } from './scope.ts'

const usual: ScopeOptions = {
  entireDomain: false,
  subdomains: false,
  external: false,
  patterns: allWanted,
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
    expect(movedHome(new URL(start), new URL(landed))?.href).toBe(home)
  })

  it.each(['https://a.example/en/', 'http://a.example/'])(
    'stays where it is on its own host: %s',
    (landed) => {
      expect(movedHome(new URL('https://a.example/'), new URL(landed))).toBeUndefined()
    },
  )
})

import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { brave } from './brave.ts'
import { generic } from './generic.ts'
import { google } from './google.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'

const now = Date.UTC(2025, 5, 15, 12)
const asked = 'tides "high water" site:example.com inurl:guide -site:example.org'
const day = 86_400_000
const june = { from: Date.UTC(2025, 5, 1), to: Date.UTC(2025, 5, 11) - 1, isNewestFirst: false }

const request = (options: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...{ source: 'web', query: parseQuery(asked), range: june, most: 500, now },
  ...{ country: 'DE', language: 'de', isSafe: true },
  ...options,
})
const call = (provider: SearchProvider, options = {}, base = provider.base, key = 'secret') => {
  const { method, url, headers, body } = provider.call(request(options), { base, key })
  return {
    ...{ method, headers, address: url.origin + url.pathname },
    parameters: Object.fromEntries(url.searchParams),
    body: body === undefined ? undefined : JSON.parse(body),
  }
}
const json = { accept: 'application/json' }
const sent = { ...json, 'content-type': 'application/json' }
const recent = (from: number) => ({ range: { from, isNewestFirst: false } })

describe('a call of SearXNG', () => {
  it('passes on what engines understand, with the smallest span that covers the range', () => {
    expect(call(searxng, {}, 'https://example.net/searxng/')).toEqual({
      ...{ method: 'GET', address: 'https://example.net/searxng/search', headers: json, body: undefined },
      parameters: {
        ...{ q: asked, format: 'json', categories: 'general' },
        ...{ language: 'de-DE', time_range: 'month', safesearch: '2' },
      },
    })
  })

  it('leaves no commands in the query', () => {
    const { parameters } = call(searxng, { query: parseQuery('!!g :fr <3 tides a!b') }, 'https://example.net')
    expect(parameters.q).toBe('g fr 3 tides a!b')
  })
})

describe('a call of Brave', () => {
  it('has the range, the country and the language', () => {
    expect(call(brave)).toEqual({
      ...{ method: 'GET', address: 'https://api.search.brave.com/res/v1/web/search', body: undefined },
      headers: { ...json, 'x-subscription-token': 'secret' },
      parameters: {
        q: 'tides "high water" site:example.com guide -site:example.org',
        ...{ count: '20', country: 'DE', search_lang: 'de', safesearch: 'strict' },
        ...{ freshness: '2025-06-01to2025-06-10', result_filter: 'web', text_decorations: 'false' },
      },
    })
  })

  it('does not send codes that it would be refused for', () => {
    const { parameters } = call(brave, { country: 'LU', language: 'lb', source: 'images' })
    expect(parameters).toMatchObject({ country: 'ALL', count: '200' })
    expect(parameters).not.toHaveProperty('search_lang')
    expect(parameters).not.toHaveProperty('freshness')
    expect(call(brave, { language: 'ja' }).parameters.search_lang).toBe('jp')
  })
})

describe('a call of Serper', () => {
  it('is written as Google reads it', () => {
    const location = 'Austin,Texas,United States'
    expect(call(serper, { location, source: 'news', range: { ...june, isNewestFirst: true } })).toEqual({
      ...{ method: 'POST', address: 'https://google.serper.dev/news', parameters: {} },
      headers: { ...sent, 'x-api-key': 'secret' },
      body: {
        ...{ q: asked, num: 100, gl: 'de', hl: 'de', location, autocorrect: false },
        tbs: 'cdr:1,cd_min:06/01/2025,cd_max:06/10/2025,sbd:1',
      },
    })
  })

  it('asks for hours where the range is short', () => {
    expect(call(serper, recent(now - 3_600_000)).body.tbs).toBe('qdr:h1')
    expect(call(serper, recent(now - day)).body.tbs).toBe('qdr:h24')
  })

  it('passes on the one size of images that Google knows', () => {
    const q = (text: string) => call(serper, { source: 'images', query: parseQuery(text) }).body.q
    expect(q('boat imagesize:800x600')).toBe('boat imagesize:800x600')
    expect(q('boat larger:800x600')).toBe('boat')
  })
})

describe('a call of Google', () => {
  it('restricts a range that has an end by its sorting', () => {
    expect(call(google, { source: 'images' }, google.base, 'secret:012:abc')).toEqual({
      ...{ method: 'GET', address: 'https://www.googleapis.com/customsearch/v1', headers: json },
      body: undefined,
      parameters: {
        ...{ key: 'secret', cx: '012:abc', q: asked, num: '10', searchType: 'image', safe: 'active' },
        ...{ gl: 'de', hl: 'de', lr: 'lang_de', sort: 'date:r:20250601:20250610' },
      },
    })
  })

  it('reaches back in days', () => {
    const { parameters } = call(google, recent(now - 2.5 * day), google.base, 'secret:abc')
    expect(parameters.dateRestrict).toBe('d3')
    expect(parameters).not.toHaveProperty('sort')
  })

  it.each(['secret', 'secret:', ':abc'])('is not made with the key %j', (key) => {
    expect(() => call(google, {}, google.base, key)).toThrow(/KEY:CX/)
  })
})

describe('a call of Tavily', () => {
  it('has sites as lists and the country by its name', () => {
    expect(call(tavily)).toEqual({
      ...{ method: 'POST', address: 'https://api.tavily.com/search', parameters: {} },
      headers: { ...sent, authorization: 'Bearer secret' },
      body: {
        ...{ query: 'tides high water guide', topic: 'general', search_depth: 'basic', max_results: 20 },
        ...{ start_date: '2025-06-01', end_date: '2025-06-10', country: 'germany' },
        ...{ include_domains: ['example.com'], exclude_domains: ['example.org'] },
      },
    })
  })

  it.each([
    ['CZ', 'czech republic'],
    ['GB', 'united kingdom'],
    ['TR', 'turkey'],
    ['AQ', undefined],
  ])('names the country %s %j', (country, name) => {
    expect(call(tavily, { country }).body.country).toBe(name)
  })

  it('has no country for news, and words even for a site alone', () => {
    const { body } = call(tavily, { source: 'news', query: parseQuery('site:example.com') })
    expect(body).toMatchObject({ query: 'example.com', topic: 'news' })
    expect(body).not.toHaveProperty('country')
  })
})

describe('a call of any service', () => {
  const template = 'https://example.net/find/{language}?q={query}&n={limit}&c={country}'

  it('fills in the address, each value once and escaped', () => {
    const { url, headers } = generic.call(request({ query: parseQuery('a&b=c {limit} \ud800') }), {
      base: template,
    })
    expect(url.href).toBe('https://example.net/find/de?q=a%26b%3Dc%20%7Blimit%7D%20%EF%BF%BD&n=500&c=DE')
    expect(headers).toEqual(json)
  })

  it('has the key where there is one', () => {
    expect(call(generic, {}, template).headers).toEqual({ ...json, authorization: 'Bearer secret' })
  })

  it.each(['', 'https://example.net/', 'ftp://example.net/{query}'])('is not made to %j', (base) => {
    expect(() => call(generic, {}, base)).toThrow(ProviderFailure)
  })
})

describe('a call', () => {
  it.each([brave, serper, google, tavily])('of $name is not made without a key', (provider) => {
    expect(() => provider.call(request(), { base: provider.base })).toThrow(
      expect.objectContaining({ problem: 'unauthorized' }),
    )
  })

  it.each([brave, serper, google, tavily])('of $name asks for no more than is said', (provider) => {
    const plain = { range: { isNewestFirst: false }, query: parseQuery('tides'), most: 5 }
    const { country: _, language: __, isSafe: ___, ...rest } = request(plain)
    const { url, body = '' } = provider.call(rest, { base: provider.base, key: 'secret:abc' })
    expect(url.search + body).not.toMatch(
      /undefined|null|date|time|fresh|tbs|sort|country|lang|safe|\bgl\b|moder/i,
    )
  })
})

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
const queryText = 'tides "high water" site:example.com inurl:guide -site:example.org'
const dayMs = 86_400_000
const june = { from: Date.UTC(2025, 5, 1), to: Date.UTC(2025, 5, 11) - 1, isNewestFirst: false }

const request = (options: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...{ source: 'web', query: parseQuery(queryText), range: june, limit: 500, now },
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
const jsonHeaders = { accept: 'application/json' }
const postHeaders = { ...jsonHeaders, 'content-type': 'application/json' }
const recent = (from: number) => ({ range: { from, isNewestFirst: false } })

describe('SearXNG request', () => {
  it('contains the supported operators, and the smallest span that covers the range', () => {
    expect(call(searxng, {}, 'https://example.net/searxng/')).toEqual({
      ...{
        method: 'GET',
        address: 'https://example.net/searxng/search',
        headers: jsonHeaders,
        body: undefined,
      },
      parameters: {
        ...{ q: queryText, format: 'json', categories: 'general' },
        ...{ language: 'de-DE', time_range: 'month', safesearch: '2' },
      },
    })
  })

  it('contains no commands in the query', () => {
    const { parameters } = call(searxng, { query: parseQuery('!!g :fr <3 tides a!b') }, 'https://example.net')
    expect(parameters.q).toBe('g fr 3 tides a!b')
  })
})

describe('Brave request', () => {
  it('contains the range, the country and the language', () => {
    expect(call(brave)).toEqual({
      ...{ method: 'GET', address: 'https://api.search.brave.com/res/v1/web/search', body: undefined },
      headers: { ...jsonHeaders, 'x-subscription-token': 'secret' },
      parameters: {
        q: 'tides "high water" site:example.com guide -site:example.org',
        ...{ count: '20', country: 'DE', search_lang: 'de', safesearch: 'strict' },
        ...{ freshness: '2025-06-01to2025-06-10', result_filter: 'web', text_decorations: 'false' },
      },
    })
  })

  it('omits codes that Brave would reject', () => {
    const { parameters } = call(brave, { country: 'LU', language: 'lb', source: 'images' })
    expect(parameters).toMatchObject({ country: 'ALL', count: '200' })
    expect(parameters).not.toHaveProperty('search_lang')
    expect(parameters).not.toHaveProperty('freshness')
    expect(call(brave, { language: 'ja' }).parameters.search_lang).toBe('jp')
  })
})

describe('Serper request', () => {
  it('uses the syntax of Google', () => {
    const location = 'Austin,Texas,United States'
    expect(call(serper, { location, source: 'news', range: { ...june, isNewestFirst: true } })).toEqual({
      ...{ method: 'POST', address: 'https://google.serper.dev/news', parameters: {} },
      headers: { ...postHeaders, 'x-api-key': 'secret' },
      body: {
        ...{ q: queryText, num: 100, gl: 'de', hl: 'de', location, autocorrect: false },
        tbs: 'cdr:1,cd_min:06/01/2025,cd_max:06/10/2025,sbd:1',
      },
    })
  })

  it('uses hours for a short range', () => {
    expect(call(serper, recent(now - 3_600_000)).body.tbs).toBe('qdr:h1')
    expect(call(serper, recent(now - dayMs)).body.tbs).toBe('qdr:h24')
  })

  it('contains only the image size operator that Google supports', () => {
    const q = (text: string) => call(serper, { source: 'images', query: parseQuery(text) }).body.q
    expect(q('boat imagesize:800x600')).toBe('boat imagesize:800x600')
    expect(q('boat larger:800x600')).toBe('boat')
  })
})

describe('Google request', () => {
  it('restricts a range with an end by its sort parameter', () => {
    expect(call(google, { source: 'images' }, google.base, 'secret:012:abc')).toEqual({
      ...{ method: 'GET', address: 'https://www.googleapis.com/customsearch/v1', headers: jsonHeaders },
      body: undefined,
      parameters: {
        ...{ key: 'secret', cx: '012:abc', q: queryText, num: '10', searchType: 'image', safe: 'active' },
        ...{ gl: 'de', hl: 'de', lr: 'lang_de', sort: 'date:r:20250601:20250610' },
      },
    })
  })

  it('restricts a range without an end in days', () => {
    const { parameters } = call(google, recent(now - 2.5 * dayMs), google.base, 'secret:abc')
    expect(parameters.dateRestrict).toBe('d3')
    expect(parameters).not.toHaveProperty('sort')
  })

  it.each(['secret', 'secret:', ':abc'])('throws for the key %j', (key) => {
    expect(() => call(google, {}, google.base, key)).toThrow(/KEY:CX/)
  })
})

describe('Tavily request', () => {
  it('contains sites as lists and the country by its name', () => {
    expect(call(tavily)).toEqual({
      ...{ method: 'POST', address: 'https://api.tavily.com/search', parameters: {} },
      headers: { ...postHeaders, authorization: 'Bearer secret' },
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
  ])('maps the country %s to the name %j', (country, name) => {
    expect(call(tavily, { country }).body.country).toBe(name)
  })

  it('contains no country for news, and the site as text if there are no words', () => {
    const { body } = call(tavily, { source: 'news', query: parseQuery('site:example.com') })
    expect(body).toMatchObject({ query: 'example.com', topic: 'news' })
    expect(body).not.toHaveProperty('country')
  })
})

describe('request to a generic service', () => {
  const urlTemplate = 'https://example.net/find/{language}?q={query}&n={limit}&c={country}'

  it('inserts each value into the URL once, escaped', () => {
    const { url, headers } = generic.call(request({ query: parseQuery('a&b=c {limit} \ud800') }), {
      base: urlTemplate,
    })
    expect(url.href).toBe('https://example.net/find/de?q=a%26b%3Dc%20%7Blimit%7D%20%EF%BF%BD&n=500&c=DE')
    expect(headers).toEqual(jsonHeaders)
  })

  it('contains the key if there is one', () => {
    expect(call(generic, {}, urlTemplate).headers).toEqual({ ...jsonHeaders, authorization: 'Bearer secret' })
  })

  it.each(['', 'https://example.net/', 'ftp://example.net/{query}'])('throws for the base URL %j', (base) => {
    expect(() => call(generic, {}, base)).toThrow(ProviderFailure)
  })
})

describe('request', () => {
  it.each([brave, serper, google, tavily])('to $name throws without a key', (provider) => {
    expect(() => provider.call(request(), { base: provider.base })).toThrow(
      expect.objectContaining({ problem: 'unauthorized' }),
    )
  })

  it.each([brave, serper, google, tavily])('to $name contains only the requested options', (provider) => {
    const plain = { range: { isNewestFirst: false }, query: parseQuery('tides'), most: 5 }
    const { country: _, language: __, isSafe: ___, ...rest } = request(plain)
    const { url, body = '' } = provider.call(rest, { base: provider.base, key: 'secret:abc' })
    expect(url.search + body).not.toMatch(
      /undefined|null|date|time|fresh|tbs|sort|country|lang|safe|\bgl\b|moder/i,
    )
  })
})

import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { arxiv } from './arxiv.ts'
import { truncateQuery } from './calls.ts'
import { crossref } from './crossref.ts'
import { duckduckgo, regionOf } from './duckduckgo.ts'
import { gdelt } from './gdelt.ts'
import { github, githubIssues } from './github.ts'
import { googleNews } from './google-news.ts'
import { openalex } from './openalex.ts'
import { openverse } from './openverse.ts'
import type { ProviderRequest, SearchProvider } from './provider.ts'
import { wikimediaCommons } from './wikimedia-commons.ts'
import { wikipedia } from './wikipedia.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 16, 12)
const request: ProviderRequest = {
  source: 'web',
  query: parseQuery('green tea "hot water" -milk site:a.example intitle:leaf'),
  range: { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 9, 31, 23, 59), isNewestFirst: true },
  ...{ country: 'DE', language: 'de', limit: 1000, now },
}

function buildRequest(provider: SearchProvider, changes: Partial<ProviderRequest> = {}, key?: string) {
  const endpoint = { base: provider.base, ...(key === undefined ? {} : { key }) }
  const { method, url, headers, body } = provider.call({ ...request, ...changes }, endpoint)
  return {
    at: `${method} ${url.origin}${url.pathname}`,
    asked: Object.fromEntries(url.searchParams),
    headers,
    body,
  }
}

describe('request with operators, dates, a country and a language', () => {
  it.each<[SearchProvider, string, Record<string, string>]>([
    [
      wikipedia,
      'GET https://de.wikipedia.org/w/api.php',
      {
        ...{
          action: 'query',
          list: 'search',
          format: 'json',
          formatversion: '2',
          srprop: 'snippet|timestamp',
        },
        ...{ srsearch: 'green tea "hot water" -milk intitle:leaf', srlimit: '50' },
      },
    ],
    [
      github,
      'GET https://api.github.com/search/repositories',
      {
        q: 'green tea "hot water" leaf pushed:2026-10-01T00:00:00Z..2026-10-31T23:59:00Z',
        ...{ per_page: '100', sort: 'updated', order: 'desc' },
      },
    ],
    [
      githubIssues,
      'GET https://api.github.com/search/issues',
      {
        q: 'green tea "hot water" leaf is:issue created:2026-10-01T00:00:00Z..2026-10-31T23:59:00Z',
        ...{ per_page: '100', sort: 'created', order: 'desc' },
      },
    ],
    [
      arxiv,
      'GET https://export.arxiv.org/api/query',
      {
        search_query:
          'all:green AND all:tea AND all:"hot water" AND ti:leaf AND submittedDate:[202610010000 TO 202610312359] ANDNOT all:milk',
        ...{ max_results: '100', sortBy: 'submittedDate', sortOrder: 'descending' },
      },
    ],
    [
      crossref,
      'GET https://api.crossref.org/works',
      {
        ...{
          'query.bibliographic': 'green tea hot water leaf',
          rows: '100',
          select: 'DOI,URL,title,abstract,issued',
        },
        filter: 'from-pub-date:2026-10-01,until-pub-date:2026-10-31',
        ...{ sort: 'published', order: 'desc' },
      },
    ],
    [
      openalex,
      'GET https://api.openalex.org/works',
      {
        ...{ search: 'green tea "hot water" leaf', per_page: '100', sort: 'publication_date:desc' },
        select: 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index',
        filter: 'from_publication_date:2026-10-01,to_publication_date:2026-10-31,language:de',
      },
    ],
    [
      openverse,
      'GET https://api.openverse.org/v1/images/',
      { q: 'green tea "hot water" -milk leaf', page_size: '20' },
    ],
    [
      wikimediaCommons,
      'GET https://commons.wikimedia.org/w/api.php',
      {
        ...{ action: 'query', format: 'json', formatversion: '2', generator: 'search', gsrnamespace: '6' },
        gsrsearch: 'filetype:bitmap|drawing green tea "hot water" -milk intitle:leaf',
        ...{ gsrlimit: '50', gsrsort: 'create_timestamp_desc', prop: 'imageinfo' },
        ...{ iiprop: 'url|size|timestamp|extmetadata', iiextmetadatafilter: 'ImageDescription' },
        iiextmetadatalanguage: 'de',
      },
    ],
    [
      gdelt,
      'GET https://api.gdeltproject.org/api/v2/doc/doc',
      {
        query: 'green tea "hot water" -milk domain:a.example leaf sourcecountry:germany sourcelang:german',
        ...{ mode: 'artlist', format: 'json', maxrecords: '250', sort: 'datedesc' },
        ...{ startdatetime: '20261001000000', enddatetime: '20261031235900' },
      },
    ],
    [
      googleNews,
      'GET https://news.google.com/rss/search',
      {
        q: 'green tea "hot water" -milk site:a.example intitle:leaf after:2026-09-30 before:2026-11-01',
        ...{ hl: 'de-DE', gl: 'DE', ceid: 'DE:de' },
      },
    ],
  ])('is built for $name', (provider, at, expectedParameters) => {
    const call = buildRequest(provider)
    expect(call).toMatchObject({
      at,
      asked: expectedParameters,
      body: undefined,
      headers: { accept: expect.any(String) },
    })
    expect(Object.keys(call.asked).sort()).toEqual(Object.keys(expectedParameters).sort())
    expect(call.headers).not.toHaveProperty('authorization')
  })

  it('is a form for duckduckgo', () => {
    const { at, asked, headers, body } = buildRequest(duckduckgo, { isSafe: true })
    expect([at, asked]).toEqual(['POST https://html.duckduckgo.com/html/', {}])
    expect(headers).toEqual({
      ...{ accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      ...{ referer: 'https://html.duckduckgo.com/', 'accept-language': 'de-DE,de;q=0.9' },
    })
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      q: 'green tea "hot water" -milk site:a.example intitle:leaf',
      ...{ b: '', kl: 'de-de', df: 'y', kp: '1' },
    })
  })
})

describe('key', () => {
  it.each([github, githubIssues, openverse])('is a header for $name', (provider) => {
    expect(buildRequest(provider, {}, 'k').headers.authorization).toBe('Bearer k')
  })

  it('is a parameter for openalex', () => expect(buildRequest(openalex, {}, 'k').asked.api_key).toBe('k'))
})

describe('duckduckgo', () => {
  it.each([
    [dayMs / 24, 'd'],
    [dayMs, 'd'],
    [3 * dayMs, 'w'],
    [31 * dayMs, 'm'],
    [60 * dayMs, 'y'],
    [800 * dayMs, null],
  ])('requests the smallest span that covers %d ms', (span, df) => {
    const { body } = buildRequest(duckduckgo, { range: { from: now - span, isNewestFirst: false } })
    expect(new URLSearchParams(body).get('df')).toBe(df)
  })

  it('removes characters that would send the query to another site', () => {
    const { body } = buildRequest(duckduckgo, { query: parseQuery('!g tea yahoo! \\leaf') })
    expect(new URLSearchParams(body).get('q')).toBe('g tea yahoo leaf')
  })

  it.each([
    ['CH', 'fr', 'ch-fr'],
    ['CH', 'en', 'ch-de'],
    ['GB', undefined, 'uk-en'],
    [undefined, 'ja', 'jp-jp'],
    [undefined, 'en', 'us-en'],
    [undefined, 'sw', undefined],
    ['KE', 'sw', undefined],
  ])('maps %s and %s to the region %s', (country, language, region) => {
    expect(regionOf(country, language)).toBe(region)
  })
})

describe('special cases of providers', () => {
  const query = (text: string) => ({ query: parseQuery(text), range: { isNewestFirst: false } })

  it('arxiv ranks by words and puts brackets around alternatives', () => {
    expect(buildRequest(arxiv, query('graph (tides OR "sea level") nets')).asked.search_query).toBe(
      '(all:graph OR all:nets) AND (all:tides OR all:"sea level")',
    )
    expect(buildRequest(arxiv, query('-milk')).asked.search_query).toBe('')
  })

  it('gdelt gets no short words and no unquoted punctuation', () => {
    const { asked } = buildRequest(gdelt, {
      ...query('an e-mail tea OR milk site:a.com site:b.com/x'),
      country: 'CH',
      language: 'xx',
    })
    expect(asked.query).toBe(
      '"e-mail" (tea OR milk) (domain:a.com OR domain:b.com) sourcecountry:switzerland',
    )
    expect(asked).not.toHaveProperty('startdatetime')
  })

  it('wikimedia-commons gets image sizes', () => {
    expect(buildRequest(wikimediaCommons, query('cup larger:800x600')).asked.gsrsearch).toBe(
      'filetype:bitmap|drawing filew:>800 fileh:>600 cup',
    )
  })

  it('openverse includes sensitive results only if they are requested', () => {
    expect(buildRequest(openverse, { isSafe: false }).asked.unstable__include_sensitive_results).toBe('true')
  })

  it.each([
    [
      { country: 'MX', language: 'es' },
      { hl: 'es-419', gl: 'MX', ceid: 'MX:es-419' },
    ],
    [
      { country: 'AT', language: undefined },
      { hl: 'de-AT', gl: 'AT', ceid: 'AT:de' },
    ],
    [
      { country: undefined, language: 'pt' },
      { hl: 'pt-BR', gl: 'BR', ceid: 'BR:pt-419' },
    ],
    [
      { country: undefined, language: undefined },
      { hl: 'en-US', gl: 'US', ceid: 'US:en' },
    ],
  ])('google-news uses for %j the edition %j', ({ country, language }, edition) => {
    const { country: _, language: __, ...plain } = request
    const endpoint = { base: googleNews.base }
    const { url } = googleNews.call(
      { ...plain, ...(country && { country }), ...(language && { language }) },
      endpoint,
    )
    expect(Object.fromEntries(url.searchParams)).toMatchObject(edition)
  })

  it('google-news uses hours for a short range', () => {
    const range = { from: now - 90 * 60_000, isNewestFirst: false }
    expect(buildRequest(googleNews, { query: parseQuery('tea'), range }).asked.q).toBe('tea when:2h')
  })

  it('github keeps the path of a configured base URL', () => {
    const { url } = github.call(request, { base: 'https://git.example/api/v3/' })
    expect(url.pathname).toBe('/api/v3/search/repositories')
  })

  it('truncateQuery cuts between words, and removes the quote of a cut phrase', () => {
    expect(truncateQuery('tea "green leaf" milk', 12)).toBe('tea green')
    expect(truncateQuery('tea milk', 8)).toBe('tea milk')
  })
})

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
const request = (options: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...{ source: 'web', query: parseQuery('tides'), range: { isNewestFirst: false }, limit: 10, now },
  ...options,
})
const createResponse = (body: unknown, status = 200, headers: Record<string, string> = {}) => ({
  ...{ status, headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const read = (provider: SearchProvider, response: ReturnType<typeof createResponse>, options = {}) => {
  try {
    return provider.read(response, request(options))
  } catch (error) {
    if (error instanceof ProviderFailure) return error.problem
    throw error
  }
}

const url = 'https://example.com/tides'
const [title, text] = ['Tides', 'The tide turns at noon.']
const expectedResult = { url, title, text }
const image = {
  url,
  title,
  text: '',
  imageUrl: 'https://example.com/a.jpg',
  imageWidth: 1920,
  imageHeight: 1080,
}
const [imageSource, width, height] = [image.imageUrl, 1920, 1080]
const publishedAt = Date.UTC(2025, 5, 14, 8)
const mailDate = 'Sat, 14 Jun 2025 08:00:00 GMT'
const kind = 'customsearch#search'
const contextLink = url
const metatags = [{ 'article:published_time': '2025-06-14T10:00:00+02:00' }]

describe('response with results', () => {
  it.each<[string, SearchProvider, Partial<ProviderRequest>, unknown, object]>([
    [
      ...(['SearXNG', searxng, {}] as const),
      { results: [{ ...expectedResult, content: text, publishedDate: '2025-06-14T08:00:00', score: 1 }] },
      { ...expectedResult, publishedAt },
    ],
    [
      ...(['SearXNG, images', searxng, { source: 'images' }] as const),
      { results: [{ url, title, content: '', img_src: '//example.com/a.jpg', resolution: '1920 x 1080' }] },
      image,
    ],
    [
      ...(['Brave', brave, {}] as const),
      {
        type: 'search',
        web: { results: [{ url, title, description: text, page_age: '2025-06-14T08:00:00' }] },
      },
      { ...expectedResult, publishedAt },
    ],
    [
      ...(['Brave, news', brave, { source: 'news' }] as const),
      { results: [{ url, title, description: text, age: '1 day ago', thumbnail: { src: imageSource } }] },
      { ...expectedResult, imageUrl: imageSource },
    ],
    [
      ...(['Brave, images', brave, { source: 'images' }] as const),
      { results: [{ url, title, properties: { url: imageSource, width, height } }] },
      image,
    ],
    [
      ...(['Serper', serper, {}] as const),
      { organic: [{ link: url, title, snippet: text, date: 'Jun 14, 2025' }] },
      { ...expectedResult, publishedAt: Date.UTC(2025, 5, 14) },
    ],
    [
      ...(['Serper, news', serper, { source: 'news' }] as const),
      {
        news: [
          { link: url, title, snippet: text, date: '28 hours ago', imageUrl: 'data:image/png;base64,AA' },
        ],
      },
      { ...expectedResult, publishedAt },
    ],
    [
      ...(['Serper, images', serper, { source: 'images' }] as const),
      { images: [{ link: url, title, imageUrl: imageSource, imageWidth: width, imageHeight: height }] },
      image,
    ],
    [
      ...(['Google', google, {}] as const),
      { kind, items: [{ link: url, title, snippet: text, pagemap: { metatags } }] },
      { ...expectedResult, publishedAt },
    ],
    [
      ...(['Google, images', google, { source: 'images' }] as const),
      { kind, items: [{ link: imageSource, title, snippet: '', image: { contextLink, width, height } }] },
      image,
    ],
    [
      ...(['Tavily', tavily, { source: 'news' }] as const),
      { results: [{ url, title, content: text, published_date: mailDate, score: 0.9 }] },
      { ...expectedResult, publishedAt },
    ],
    [
      ...(['any service', generic, {}] as const),
      {
        took: 3,
        answer: { items: [{ link: url, name: title, description: text, date: '2025-06-14T08:00Z' }] },
      },
      { ...expectedResult, publishedAt },
    ],
  ])('is parsed: %s', (_, provider, options, body, expected) => {
    expect(read(provider, createResponse(body), options)).toEqual([expected])
  })
})

const empty: [SearchProvider, unknown][] = [
  [searxng, { results: [], unresponsive_engines: [] }],
  [brave, { type: 'search', query: { original: 'tides' } }],
  [serper, { organic: [] }],
  [google, { kind, searchInformation: { totalResults: '0' } }],
  [tavily, { results: [] }],
  [generic, { results: [], suggestions: ['tide'] }],
]
const providers = empty.map(([provider]) => provider)

describe('response without results', () => {
  it.each(empty)('of $name returns an empty list', (provider, body) => {
    expect(read(provider, createResponse(body))).toEqual([])
  })

  it.each(providers)('of $name is distinguished from one of another shape', (provider) => {
    expect(read(provider, createResponse({ found: 3 }))).toBe('changed')
    expect(read(provider, createResponse([]))).toEqual(provider === generic ? [] : 'changed')
    expect(read(provider, createResponse('<html>Please wait</html>'))).toBe('changed')
    expect(read(provider, createResponse({ kind, type: 'search', results: 'none', items: 1, web: 1 }))).toBe(
      'changed',
    )
  })

  it.each<[SearchProvider, unknown]>([
    [searxng, { results: [{ address: url, title }] }],
    [brave, { type: 'search', web: { results: [{ address: url, title }] } }],
    [serper, { organic: [{ address: url, title }] }],
    [google, { kind, items: [{ address: url, title }] }],
    [tavily, { results: [{ address: url, title }] }],
    [generic, { results: [{ address: url, title }], web: [] }],
  ])('of $name is distinguished from results of another shape', (provider, body) => {
    expect(read(provider, createResponse(body))).toBe('changed')
  })
})

describe('error response', () => {
  it.each(providers)('of $name is recognised by its status', (provider) => {
    expect(read(provider, createResponse('', 401))).toBe('unauthorized')
    expect(read(provider, createResponse('', 403))).toBe('blocked')
    expect(read(provider, createResponse('', 500))).toBe('failed')
    expect(() => provider.read(createResponse('', 429, { 'retry-after': '7' }), request())).toThrow(
      expect.objectContaining({ problem: 'rate-limited', retryAfter: 7000 }),
    )
  })

  it.each<[SearchProvider, number, unknown, string]>([
    [searxng, 200, { results: [], unresponsive_engines: [['google', 'CAPTCHA']] }, 'blocked'],
    [searxng, 200, { results: [], unresponsive_engines: [['brave', 'too many requests']] }, 'rate-limited'],
    [searxng, 200, { results: [], unresponsive_engines: [['bing', 'timeout']] }, 'failed'],
    [brave, 422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }, 'unauthorized'],
    [brave, 422, { type: 'ErrorResponse', error: { code: 'VALIDATION' } }, 'refused'],
    [serper, 403, { message: 'Unauthorized.', statusCode: 403 }, 'unauthorized'],
    [serper, 400, { message: 'Not enough credits', statusCode: 400 }, 'rate-limited'],
    [google, 400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'unauthorized'],
    [google, 403, { error: { errors: [{ reason: 'dailyLimitExceeded' }] } }, 'rate-limited'],
    [google, 403, { error: { errors: [{ reason: 'accessNotConfigured' }] } }, 'unauthorized'],
    [tavily, 432, { detail: { error: 'This request exceeds your plan limit.' } }, 'rate-limited'],
    [generic, 200, { error: { message: 'bad key' }, results: [] }, 'failed'],
  ])('of $name is recognised by its body', (provider, status, body, problem) => {
    expect(read(provider, createResponse(body, status))).toBe(problem)
  })

  it('of SearXNG names the setting that is probably missing', () => {
    expect(() => searxng.read(createResponse('', 403), request())).toThrow(
      /JSON format is probably not enabled/,
    )
  })
})

describe('parsed results', () => {
  it('have a web URL', () => {
    const results = ['ftp://example.com/', 'javascript:1', '', url].map((link) => ({ link, title }))
    expect(read(serper, createResponse({ organic: results }))).toEqual([{ url, title, text: '' }])
  })

  it('have limited sizes', () => {
    const long = Array.from({ length: 30 }, () => ({
      url,
      title: 'a'.repeat(1e4),
      content: 'b '.repeat(1e4),
    }))
    const results = tavily.read(createResponse({ results: long }), request())
    expect(results).toHaveLength(10)
    expect(results[0]?.title).toHaveLength(500)
    expect(results[0]?.text.length).toBeLessThanOrEqual(5000)
  })

  it('ignore details of another type', () => {
    const result = { link: url, title, snippet: text, date: 20250614, imageUrl: {} }
    expect(read(serper, createResponse({ organic: [result] }))).toEqual([expectedResult])
  })
})

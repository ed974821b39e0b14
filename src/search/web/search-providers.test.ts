import { describe, expect, it } from 'vitest'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from '../providers/provider.ts'
import type { ConfiguredProvider, ProviderCaller, ProviderRequester } from '../providers/provider-caller.ts'
import { wikipedia } from '../providers/wikipedia.ts'
import { parseQuery } from '../query/query.ts'
import { webDialect } from '../query/write-query.ts'
import { mergeResults, queryAll, queryProvider } from './search-providers.ts'

const result = (url: string, more: Partial<ProviderResult> = {}): ProviderResult => ({
  ...{ url, title: `Title of ${url}`, text: '' },
  ...more,
})

const configure = (
  name: string,
  abilities: Partial<ConfiguredProvider['provider']['abilities']> = {},
): ConfiguredProvider => ({
  provider: { ...wikipedia, name, abilities: { ...wikipedia.abilities, dialect: webDialect, ...abilities } },
  endpoint: { base: '' },
})

const request = (text: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...{ source: 'web', query: parseQuery(text), range: { isNewestFirst: false }, limit: 10, now: 0 },
  ...more,
})

const createCaller = (responses: Record<string, ProviderResult[] | ProviderFailure>): ProviderCaller => ({
  async ask({ provider }) {
    const response = responses[provider.name] ?? []
    if (response instanceof ProviderFailure) throw response
    return response
  },
})

const requester: ProviderRequester = { teamId: 'one', isPrivate: false, signal: new AbortController().signal }
const [a, b, c] = ['https://a.test/', 'https://b.test/x', 'https://c.test/']
const urls = (results: ProviderResult[]) => results.map(({ url }) => url)

describe('queryProvider', () => {
  it('returns the results with the name of the provider', async () => {
    const caller = createCaller({ one: [result(a)], two: [result(b)] })
    const response = await queryProvider(caller, configure('one'), request('tide'), requester)
    expect([urls(response.results), response.answeredBy, response.failures]).toEqual([[a], ['one'], []])
  })

  it('accepts an empty response', async () => {
    const response = await queryProvider(createCaller({}), configure('one'), request('tide'), requester)
    expect([response.results, response.answeredBy]).toEqual([[], ['one']])
  })

  it('returns no provider name after a failure, and reports the failure', async () => {
    const caller = createCaller({ one: new ProviderFailure('failed', 'down') })
    const response = await queryProvider(caller, configure('one'), request('tide'), requester)
    expect([response.results, response.answeredBy, response.failures]).toEqual([[], [], ['down']])
  })
})

describe('queryAll', () => {
  it('merges the results of all providers into one list', async () => {
    const caller = createCaller({ one: [result(a), result(b)], two: [result(b), result(c)] })
    const response = await queryAll(caller, [configure('one'), configure('two')], request('tide'), requester)
    expect(urls(response.results)).toEqual([b, a, c])
  })

  it('returns the results of the others if one fails', async () => {
    const caller = createCaller({ one: new ProviderFailure('failed', 'down'), two: [result(c)] })
    const response = await queryAll(caller, [configure('one'), configure('two')], request('tide'), requester)
    expect([urls(response.results), response.answeredBy, response.failures]).toEqual([[c], ['two'], ['down']])
  })
})

describe('a condition that a provider does not support', () => {
  const plain = { dialect: { operators: [], hasPhrases: false, hasMinus: false } as const }

  it('filters its results if they contain enough data', async () => {
    const caller = createCaller({ one: [result(a), result(b), result(c)] })
    const find = async (text: string) =>
      urls((await queryProvider(caller, configure('one', plain), request(text), requester)).results)
    expect(await find('tide site:b.test')).toEqual([b])
    expect(await find('tide -site:b.test')).toEqual([a, c])
    expect(await find('tide inurl:x')).toEqual([b])
  })

  it('is reported if its results lack the data', async () => {
    const caller = createCaller({ one: [result(a)] })
    const searchRequest = request('"exact text"', { country: 'DE' })
    const response = await queryProvider(caller, configure('one', plain), searchRequest, requester)
    expect(response.unmet).toEqual([
      'one has no results by country',
      'one does not search for "exact text"; its results may not hold to it',
    ])
  })

  it('excludes undated results if it is a time range', async () => {
    const caller = createCaller({
      one: [result(a), result(b, { publishedAt: 5 }), result(c, { publishedAt: 50 })],
    })
    const range = { from: 10, to: 90, isNewestFirst: false }
    const response = await queryProvider(
      caller,
      configure('one', { dates: 'none' }),
      request('tide', { range }),
      requester,
    )
    expect(urls(response.results)).toEqual([c])
    const sorted = await queryProvider(
      caller,
      configure('one'),
      request('tide', { range: { isNewestFirst: true } }),
      requester,
    )
    expect(urls(sorted.results)).toEqual([c, b, a])
  })
})

describe('mergeResults', () => {
  it('merges pages with equivalent URLs', () => {
    const lists = [[result('https://www.a.test/x/')], [result('http://a.test/x')]]
    expect(mergeResults(lists, 10)).toHaveLength(1)
  })
})

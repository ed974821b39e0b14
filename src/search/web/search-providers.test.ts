import { describe, expect, it } from 'vitest'
import { ProviderFailure, type ProviderRequest, type ProviderResult } from '../providers/provider.ts'
import type { ConfiguredProvider, ProviderCaller, ProviderRequester } from '../providers/provider-caller.ts'
import { wikipedia } from '../providers/wikipedia.ts'
import { parseQuery } from '../query/query.ts'
import { webDialect } from '../query/write-query.ts'
import { mergeResults, queryAll, queryFirstThatAnswers } from './search-providers.ts'

const result = (url: string, more: Partial<ProviderResult> = {}): ProviderResult => ({
  ...{ url, title: `Title of ${url}`, text: '' },
  ...more,
})

const asked = (
  name: string,
  abilities: Partial<ConfiguredProvider['provider']['abilities']> = {},
): ConfiguredProvider => ({
  provider: { ...wikipedia, name, abilities: { ...wikipedia.abilities, dialect: webDialect, ...abilities } },
  place: { base: '' },
})

const request = (text: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...{ source: 'web', query: parseQuery(text), range: { isNewestFirst: false }, most: 10, now: 0 },
  ...more,
})

const answering = (answers: Record<string, ProviderResult[] | ProviderFailure>): ProviderCaller => ({
  async ask({ provider }) {
    const answer = answers[provider.name] ?? []
    if (answer instanceof ProviderFailure) throw answer
    return answer
  },
})

const asker: ProviderRequester = { teamId: 'one', isPrivate: false, signal: new AbortController().signal }
const [a, b, c] = ['https://a.test/', 'https://b.test/x', 'https://c.test/']
const urls = (results: ProviderResult[]) => results.map(({ url }) => url)

describe('the first that answers', () => {
  it('is enough', async () => {
    const asking = answering({ one: [result(a)], two: [result(b)] })
    const answer = await queryFirstThatAnswers(asking, [asked('one'), asked('two')], request('tide'), asker)
    expect([urls(answer.results), answer.by, answer.failures]).toEqual([[a], ['one'], []])
  })

  it('stands in for those that fail, which are named', async () => {
    const asking = answering({ one: new ProviderFailure('blocked', 'one wants a human'), two: [result(b)] })
    const answer = await queryFirstThatAnswers(asking, [asked('one'), asked('two')], request('tide'), asker)
    expect([urls(answer.results), answer.failures]).toEqual([[b], ['one wants a human']])
  })

  it('may have nothing, which is an answer', async () => {
    const answer = await queryFirstThatAnswers(
      answering({}),
      [asked('one'), asked('two')],
      request('tide'),
      asker,
    )
    expect([answer.results, answer.by]).toEqual([[], ['one']])
  })

  it('may not be there at all', async () => {
    const asking = answering({ one: new ProviderFailure('failed', 'down') })
    expect((await queryFirstThatAnswers(asking, [asked('one')], request('tide'), asker)).by).toEqual([])
  })
})

describe('all together', () => {
  it('give one list', async () => {
    const asking = answering({ one: [result(a), result(b)], two: [result(b), result(c)] })
    const answer = await queryAll(asking, [asked('one'), asked('two')], request('tide'), asker)
    expect(urls(answer.results)).toEqual([b, a, c])
  })

  it('do not fail where one does', async () => {
    const asking = answering({ one: new ProviderFailure('failed', 'down'), two: [result(c)] })
    const answer = await queryAll(asking, [asked('one'), asked('two')], request('tide'), asker)
    expect([urls(answer.results), answer.by, answer.failures]).toEqual([[c], ['two'], ['down']])
  })
})

describe('what a provider cannot do', () => {
  const plain = { dialect: { operators: [], hasPhrases: false, hasMinus: false } as const }

  it('is done to its results where they say enough', async () => {
    const asking = answering({ one: [result(a), result(b), result(c)] })
    const find = async (text: string) =>
      urls((await queryFirstThatAnswers(asking, [asked('one', plain)], request(text), asker)).results)
    expect(await find('tide site:b.test')).toEqual([b])
    expect(await find('tide -site:b.test')).toEqual([a, c])
    expect(await find('tide inurl:x')).toEqual([b])
  })

  it('is named where they do not', async () => {
    const asking = answering({ one: [result(a)] })
    const wanted = request('"exact text"', { country: 'DE' })
    const answer = await queryFirstThatAnswers(asking, [asked('one', plain)], wanted, asker)
    expect(answer.unmet).toEqual([
      'one has no results by country',
      'one does not search for "exact text"; its results may not hold to it',
    ])
  })

  it('is a time, and then undated results are left out', async () => {
    const asking = answering({
      one: [result(a), result(b, { publishedAt: 5 }), result(c, { publishedAt: 50 })],
    })
    const range = { from: 10, to: 90, isNewestFirst: false }
    const answer = await queryFirstThatAnswers(
      asking,
      [asked('one', { dates: 'none' })],
      request('tide', { range }),
      asker,
    )
    expect(urls(answer.results)).toEqual([c])
    const sorted = await queryFirstThatAnswers(
      asking,
      [asked('one')],
      request('tide', { range: { isNewestFirst: true } }),
      asker,
    )
    expect(urls(sorted.results)).toEqual([c, b, a])
  })
})

describe('merging', () => {
  it('knows a page by its address, however it is written', () => {
    const lists = [[result('https://www.a.test/x/')], [result('http://a.test/x')]]
    expect(mergeResults(lists, 10)).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import { feed, page, samples } from '../../../test/samples/search-providers.ts'
import { parseQuery } from '../query/query.ts'
import { arxiv } from './arxiv.ts'
import { crossref } from './crossref.ts'
import { duckduckgo } from './duckduckgo.ts'
import { gdelt } from './gdelt.ts'
import { github, githubIssues } from './github.ts'
import { googleNews } from './google-news.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { wikimediaCommons } from './wikimedia-commons.ts'
import { wikipedia } from './wikipedia.ts'

const now = Date.UTC(2026, 10, 16)
const request: ProviderRequest = {
  ...{ source: 'web', query: parseQuery('tea'), range: { isNewestFirst: false }, most: 10, now },
}

function problemOf(
  provider: SearchProvider,
  body: string,
  status = 200,
  headers: Record<string, string> = {},
) {
  try {
    return provider.read({ status, headers, body }, request)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return [error.problem, error.retryAfter]
  }
}

describe.each(samples)('the answer of $provider.name', ({ provider, answer, results, empty, changed }) => {
  it('is read', () =>
    expect(provider.read({ status: 200, headers: {}, body: answer }, request)).toEqual(results))
  it('may have no results', () => expect(problemOf(provider, empty)).toEqual([]))
  it('may refuse', () => expect(problemOf(provider, 'Forbidden', 403)).toEqual(['blocked', undefined]))
  it('may want a key', () => expect(problemOf(provider, '{}', 401)).toEqual(['unauthorized', undefined]))
  it('may say that it was asked too often', () =>
    expect(problemOf(provider, '', 429, { 'retry-after': '30' })).toEqual(['rate-limited', 30_000]))
  it('may fail', () => expect(problemOf(provider, 'Bad gateway', 502)).toEqual(['failed', undefined]))
  it('is changed where it is cut off', () =>
    expect(problemOf(provider, answer.slice(0, 40))).toEqual(['changed', undefined]))
  it('is changed where it has no list of results', () =>
    expect(problemOf(provider, changed)).toEqual(['changed', undefined]))
})

describe('an answer with status 200', () => {
  it.each([
    ['a challenge', duckduckgo, page('<form id="challenge-form"></form>'), 'blocked'],
    ['a question for a human', duckduckgo, page('<div class="anomaly-modal__title">Bots</div>'), 'blocked'],
    ['too many requests', wikipedia, '{"error":{"code":"ratelimited","info":"Too many"}}', 'rate-limited'],
    ['an error', wikimediaCommons, '{"error":{"code":"maxlag"}}', 'failed'],
    [
      'an error',
      arxiv,
      feed('<entry><id>http://arxiv.org/api/errors#x</id><summary>bad</summary></entry>'),
      'refused',
    ],
    ['too many requests', arxiv, 'Rate exceeded.', 'rate-limited'],
    ['an error', crossref, '{"status":"failed","message":[{"message":"bad"}]}', 'refused'],
    ['too many requests', gdelt, 'Please limit requests to one every 5 seconds.', 'rate-limited'],
    ['an error', gdelt, 'The specified phrase is too short.', 'refused'],
    [
      'a question for a human',
      googleNews,
      '<html><body>Our systems have detected unusual traffic',
      'blocked',
    ],
  ])('may be %s', (_, provider, body, problem) => {
    expect(problemOf(provider, body)).toEqual([
      problem,
      problem === 'rate-limited' && provider === gdelt ? 6000 : undefined,
    ])
  })
})

describe('a limit that is answered as a refusal', () => {
  it('is recognised by its headers', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 20) }
    expect(problemOf(github, '{}', 403, headers)).toEqual(['rate-limited', 20_000])
  })

  it('is recognised by its words', () => {
    const body = '{"message":"You have exceeded a secondary rate limit."}'
    expect(problemOf(githubIssues, body, 403)).toEqual(['rate-limited', undefined])
  })
})

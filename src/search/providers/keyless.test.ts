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
  ...{ source: 'web', query: parseQuery('tea'), range: { isNewestFirst: false }, limit: 10, now },
}

function findProblem(
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

describe.each(samples)('response of $provider.name', ({ provider, answer, results, empty, changed }) => {
  it('is parsed', () =>
    expect(provider.read({ status: 200, headers: {}, body: answer }, request)).toEqual(results))
  it('without results returns an empty list', () => expect(findProblem(provider, empty)).toEqual([]))
  it('with status 403 is "blocked"', () =>
    expect(findProblem(provider, 'Forbidden', 403)).toEqual(['blocked', undefined]))
  it('with status 401 is "unauthorized"', () =>
    expect(findProblem(provider, '{}', 401)).toEqual(['unauthorized', undefined]))
  it('with status 429 is "rate-limited" with a retry delay', () =>
    expect(findProblem(provider, '', 429, { 'retry-after': '30' })).toEqual(['rate-limited', 30_000]))
  it('with status 502 is "failed"', () =>
    expect(findProblem(provider, 'Bad gateway', 502)).toEqual(['failed', undefined]))
  it('is "changed" if it is truncated', () =>
    expect(findProblem(provider, answer.slice(0, 40))).toEqual(['changed', undefined]))
  it('is "changed" if it has no list of results', () =>
    expect(findProblem(provider, changed)).toEqual(['changed', undefined]))
})

describe('response with status 200', () => {
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
  ])('is recognised as %s', (_, provider, body, problem) => {
    expect(findProblem(provider, body)).toEqual([
      problem,
      problem === 'rate-limited' && provider === gdelt ? 6000 : undefined,
    ])
  })
})

describe('rate limit with status 403', () => {
  it('is recognised by its headers', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 20) }
    expect(findProblem(github, '{}', 403, headers)).toEqual(['rate-limited', 20_000])
  })

  it('is recognised by its text', () => {
    const body = '{"message":"You have exceeded a secondary rate limit."}'
    expect(findProblem(githubIssues, body, 403)).toEqual(['rate-limited', undefined])
  })
})

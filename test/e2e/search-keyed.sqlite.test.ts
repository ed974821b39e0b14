import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuard } from '../../src/fetch/network/guard.ts'
import { createApiClient } from '../../src/fetch/network/post.ts'
import { readAddressRule } from '../../src/platform/address-rule.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ProviderFailure } from '../../src/search/providers/provider.ts'
import { createProviderCaller } from '../../src/search/providers/provider-caller.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import { type Json, startOwnService } from '../api.ts'
import {
  type KeyedEngines,
  type KeyedTrouble,
  keyedEngines,
  startKeyedEngines,
} from '../servers/keyed-engines.ts'

let engines: KeyedEngines
beforeAll(async () => {
  engines = await startKeyedEngines()
})
afterAll(() => engines.stop())

const keyOf = (name: string, key: string) => (name === 'google' ? `${key}:engine` : key)

describe.each(keyedEngines.map(({ provider }) => provider))('$name, over HTTP', (provider) => {
  const { name } = provider
  const client = createApiClient(createGuard([readAddressRule('127.0.0.1')].flatMap((rule) => rule ?? [])))
  afterAll(() => client.close())

  /** Runs a query with a new caller, which has no record of earlier failures. */
  async function runQuery({ key = 'secret', time = 10_000 } = {}) {
    const caller = createProviderCaller({ clock: systemClock, send: client.call })
    const query = { query: parseQuery('green tea'), range: { isNewestFirst: false } }
    const request = { source: 'web' as const, ...query, limit: 10, now: Date.now() }
    const requester = { teamId: 'one', isPrivate: true, signal: AbortSignal.timeout(time) }
    const endpoint = { base: engines.url(name), key: keyOf(name, key) }
    try {
      return await caller.ask({ provider, endpoint: endpoint }, request, requester)
    } catch (thrown) {
      if (thrown instanceof ProviderFailure) return [thrown.problem, thrown.retryAfter]
      return [(thrown as Error).name]
    }
  }

  it('returns its results', async () => {
    expect(await runQuery()).toEqual([
      { url: `https://${name}.example/tea`, title: 'Green tea', text: `By ${name}.` },
    ])
  })

  it('rejects an invalid key', async () => {
    // SearXNG has no key.
    const expected =
      name === 'searxng' ? [expect.objectContaining({ title: 'Green tea' })] : ['unauthorized', undefined]
    expect(await runQuery({ key: 'wrong' })).toEqual(expected)
  })

  it.each<[KeyedTrouble, unknown[]]>([
    ['rate limit', ['rate-limited', 30_000]],
    ['error', ['failed', undefined]],
    ['changed', ['changed', undefined]],
    ['malformed', ['changed', undefined]],
    ['broken', ['failed', undefined]],
    ['endless', ['failed', undefined]],
    ['captcha', [expect.stringMatching(/^(?:blocked|unauthorized)$/), undefined]],
  ])('reports the failure: %s', async (failure, problem) => {
    engines.trouble(name, failure)
    expect(await runQuery()).toEqual(problem)
    engines.trouble(name, undefined)
  })

  it('is aborted at the end of the search', async () => {
    engines.trouble(name, 'silence')
    expect(await runQuery({ time: 200 })).toEqual(['TimeoutError'])
    engines.trouble(name, undefined)
  })
})

describe('a service with all providers', () => {
  it('queries the providers in order until one responds, and names the failures of the others', async () => {
    const names = keyedEngines.map(({ provider }) => provider.name)
    const service = await startOwnService({
      SEARCH_PROVIDERS: names.join(','),
      SEARCH_URLS: names.map((name) => `${name}=${engines.url(name)}`).join(','),
      SEARCH_KEYS: names
        .map((name) => `${name}=${keyOf(name, name === 'tavily' ? 'wrong' : 'secret')}`)
        .join(','),
    })
    const search = (lang: string) =>
      service.call('POST', '/v2/search', { body: { query: 'green tea', lang } })
    try {
      const first = await search('en')
      expect(first.body.data.web.map(({ url }: Json) => url)).toEqual(['https://searxng.example/tea'])
      const failures: KeyedTrouble[] = ['captcha', 'rate limit', 'error', 'broken']
      for (const [index, failure] of failures.entries()) engines.trouble(names[index] ?? '', failure)
      const callsBefore = engines.calls('generic')
      // The search is in another language, because responses are cached.
      const again = await search('de')
      expect(again.body.data.web).toMatchObject([
        { url: 'https://generic.example/tea', description: 'By generic.' },
      ])
      expect(engines.calls('generic')).toBe(callsBefore + 1)
      for (const name of names.slice(0, -1)) expect(again.body.warning.toLowerCase()).toContain(name)
    } finally {
      for (const name of names) engines.trouble(name, undefined)
      await service.remove()
    }
  })
})

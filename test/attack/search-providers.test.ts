import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { attackClass } from './attack.ts'

/** A query of one team that a search provider rejects or fails on must not disable the provider for other teams. */
type Failure = (response: ServerResponse, query: string) => void

const status =
  (code: number): Failure =>
  (response, query) => {
    response.statusCode = code
    response.end(`Bad query: ${query}: too many requests, rate limit, Not enough credits`)
  }

const failures = new Map<string, Failure>([
  ...[400, 402, 403, 404, 413, 422, 451, 500, 503].map((code) => [`${code}`, status(code)] as const),
  ['a connection that is reset', (response) => void response.socket?.resetAndDestroy()],
  ['a page of an unknown shape', (response, query) => void response.end(`<html>${query}</html>`)],
  ['an answer that is too large', (response) => void response.end('x'.repeat(5 * 1024 * 1024))],
])
const limited = 'a rate limit'
failures.set(limited, (response, query) => {
  response.setHeader('retry-after', '30')
  status(429)(response, query)
})
const secretOf = (failure: string) => `secret${[...failures.keys()].indexOf(failure)}`

let provider: Server
let own: OwnService
let otherKey: string
const queries: string[] = []

beforeAll(async () => {
  provider = createServer(respond).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  own = await startOwnService({
    ...{ SEARCH_PROVIDERS: 'searxng', SEARCH_URLS: `searxng=http://127.0.0.1:${port}` },
    ...{ RATE_PER_MINUTE: '1000000', SEARCH_SENTENCE_MODEL: 'off' },
  })
  otherKey = await own.newTeam()
})
afterAll(async () => {
  await own.remove()
  provider.closeAllConnections()
  provider.close()
})

function respond(request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url ?? '', 'http://provider').searchParams.get('q') ?? ''
  queries.push(query)
  for (const [name, fail] of failures) if (secretOf(name) === query) return void fail(response, query)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ results: [{ url: 'https://a.test/', title: query, content: 'Found' }] }))
}

const search = (key: string, query: string) => callAt(own.url, 'POST', '/v2/search', { key, body: { query } })

describe('search providers', () => {
  attackClass({
    name: 'tenancy: queries of one team that a search provider fails with',
    vectors: [...failures.keys()].filter((name) => name !== limited),
    run: async (failure) => {
      // Use a new team, because after a failure the team that caused it may have to wait.
      const failed = await search(await own.newTeam(), secretOf(failure))
      if (failed.body.data?.web?.length > 0) return 'the provider did not fail'
      const { body } = await search(otherKey, `tide after ${failure}`)
      if (JSON.stringify(body).includes('secret'))
        return `the other team saw the query: ${JSON.stringify(body)}`
      return body.data?.web?.length === 1
        ? undefined
        : `the other team found nothing: ${JSON.stringify(body)}`
    },
  })

  it('sends a query to the provider again for another team', async () => {
    await search(own.key, 'the same query')
    await search(own.key, 'the same query')
    await search(otherKey, 'the same query')
    expect(queries.filter((query) => query === 'the same query')).toHaveLength(2)
  })

  it('does not show a query of another team while the provider limits the rate', async () => {
    const first = await search(own.key, secretOf(limited))
    const second = await search(otherKey, 'tide and moon')
    expect([first.status, second.status]).toEqual([503, 503])
    const shownText = JSON.stringify(second.body)
    expect(shownText).toMatch(/SearXNG answered 429; it is asked again in \d+ s/)
    expect(shownText).not.toContain('secret')
  })
})

import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { providers } from './all.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'

const sources = ['web', 'images', 'news']

function requestTo({ serves }: SearchProvider, text = 'tide tables'): ProviderRequest {
  const [first = 'web'] = serves
  return {
    ...{ query: parseQuery(text), range: { isNewestFirst: false }, limit: 5, now: Date.UTC(2026, 0, 1) },
    ...(first === 'web' || first === 'images' || first === 'news'
      ? { source: first }
      : { source: 'web', category: first }),
  }
}

const endpointOf = ({ base }: SearchProvider) => ({
  base: base || 'https://search.example/find?q={query}',
  key: 'KEY:CX',
})

describe('providers', () => {
  it('have unique names', () => {
    expect(new Set(providers.map(({ name }) => name)).size).toBe(providers.length)
  })

  it('cover every source and category without a key', () => {
    const keyless = providers.slice(providers.findIndex(({ name }) => name === 'duckduckgo'))
    const served = new Set(keyless.flatMap(({ serves }) => serves))
    expect([...sources, 'github', 'research'].filter((kind) => !served.has(kind as never))).toEqual([])
  })
})

describe.each(providers.map((provider) => [provider.name, provider] as const))('%s', (_, provider) => {
  it('has a valid name, description and request interval', () => {
    expect(provider.name).toMatch(/^[a-z][a-z-]+$/)
    expect(provider.description).toMatch(/^[A-Z].{10,}\.$/)
    expect(provider.serves.length).toBeGreaterThan(0)
    // A server of the operator needs no pause between requests.
    expect(provider.pauseMs).toBeGreaterThanOrEqual(provider.base === '' ? 0 : 1)
    expect(provider.maxResults).toBeGreaterThan(0)
    expect(provider.base === '' || provider.base.startsWith('https://')).toBe(true)
  })

  it('builds HTTP requests for any query text', () => {
    for (const text of ['tide', '"a b" -c site:example.com OR d', 'é 東京 "', 'x'.repeat(500), '& ? # %']) {
      const { url, method, headers } = provider.call(requestTo(provider, text), endpointOf(provider))
      expect(['http:', 'https:']).toContain(url.protocol)
      expect(['GET', 'POST']).toContain(method)
      expect(Object.values(headers).every((value) => !/[\r\n]/.test(value))).toBe(true)
    }
  })

  it('throws for an unknown response instead of returning an empty list', () => {
    const responses = [
      { status: 200, body: '' },
      { status: 200, body: '<html><body>Please verify that you are human</body></html>' },
      { status: 200, body: '{"unexpected":true}' },
      { status: 200, body: 'null' },
      { status: 500, body: 'oops' },
      { status: 401, body: '' },
      { status: 403, body: '' },
      { status: 429, body: '' },
      { status: 302, body: '' },
    ]
    for (const { status, body } of responses) {
      const read = () => provider.read({ status, body, headers: {} }, requestTo(provider))
      expect(read, `${status} ${body}`).toThrow(ProviderFailure)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { ProviderFailure, type ProviderRequest, type ProviderResponse } from './provider.ts'
import { createProviderCaller, type ProviderRequester } from './provider-caller.ts'
import { wikipedia } from './wikipedia.ts'

const resultBody = JSON.stringify({ query: { search: [{ title: 'Tide', snippet: 'The rise of the sea.' }] } })

/** Creates a caller of Wikipedia with a fake network. Time passes only by `pass`. */
function scene(responses: (Partial<ProviderResponse> | Error)[]) {
  let now = 1_000_000
  const sent: string[] = []
  const caller = createProviderCaller({
    clock: { now: () => now } as never,
    async send({ url }) {
      sent.push(url.searchParams.get('srsearch') ?? '')
      const response = responses.shift() ?? { body: resultBody }
      if (response instanceof Error) throw response
      return { status: 200, headers: {}, body: '', ...response }
    },
  })
  const request = (text: string): ProviderRequest => ({
    ...{ source: 'web', query: parseQuery(text), range: { isNewestFirst: false }, limit: 5, now: 0 },
  })
  const ask = (text: string, requester: Partial<ProviderRequester> = {}) =>
    caller.ask({ provider: wikipedia, endpoint: { base: wikipedia.base } }, request(text), {
      ...{ teamId: 'one', isPrivate: false, signal: new AbortController().signal },
      ...requester,
    })
  return { ask, sent, pass: (ms: number) => (now += ms) }
}

describe('createProviderCaller', () => {
  it('returns results, and caches them for a repeated query', async () => {
    const { ask, sent, pass } = scene([])
    expect(await ask('tide')).toMatchObject([{ title: 'Tide', text: 'The rise of the sea.' }])
    expect(await ask('tide')).toHaveLength(1)
    expect(sent).toEqual(['tide'])
    pass(6 * 60_000)
    await ask('tide')
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('caches nothing of a private request', async () => {
    const { ask, sent } = scene([])
    await ask('tide', { isPrivate: true })
    await ask('tide')
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('serves another team before all searches of the first one', async () => {
    const { ask, sent } = scene([])
    const many = ['a', 'b', 'c'].map((text) => ask(text))
    await Promise.all([...many, ask('other', { teamId: 'two' })])
    expect(sent.indexOf('other')).toBeLessThan(3)
  })

  it('backs off after a failure, longer each time, and names the reason', async () => {
    const { ask, sent, pass } = scene([{ status: 500 }, { status: 500 }])
    await expect(ask('a')).rejects.toThrow(ProviderFailure)
    await expect(ask('b')).rejects.toThrow(/asked again in 15 s/)
    expect(sent).toEqual(['a'])
    pass(15_001)
    await expect(ask('b')).rejects.toThrow('500')
    await expect(ask('c')).rejects.toThrow(/asked again in 30 s/)
    pass(30_001)
    expect(await ask('c')).toHaveLength(1)
    expect(await ask('d')).toHaveLength(1)
  })

  it('waits as long as the provider requests', async () => {
    const { ask, pass } = scene([{ status: 429, headers: { 'retry-after': '120' } }])
    await expect(ask('a')).rejects.toMatchObject({ problem: 'rate-limited' })
    pass(119_000)
    await expect(ask('b')).rejects.toThrow(/asked again/)
    pass(1001)
    expect(await ask('b')).toHaveLength(1)
  })

  it('does not back off after a wrong key', async () => {
    const { ask } = scene([{ status: 401 }])
    await expect(ask('a')).rejects.toMatchObject({ problem: 'unauthorized' })
    expect(await ask('b')).toHaveLength(1)
  })

  it('names the cause if the provider is unreachable', async () => {
    const { ask } = scene([new Error('connection refused')])
    await expect(ask('a')).rejects.toThrow('wikipedia could not be reached: connection refused')
  })

  it('rejects when its caller aborts', async () => {
    const { ask } = scene([])
    await expect(ask('a', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    expect(await ask('b')).toHaveLength(1)
  })
})

describe('a provider that several teams use', () => {
  const other = { teamId: 'two' }
  const body = 'Bad query: the secret plan'

  it.each([400, 404, 408, 413, 414, 422])(
    'is still used after a query that it rejects with %i',
    async (status) => {
      const { ask, sent } = scene([{ status, body }])
      await expect(ask('the secret plan')).rejects.toMatchObject({ problem: 'refused' })
      expect(await ask('tide', other)).toHaveLength(1)
      expect(await ask('tide')).toHaveLength(1)
      expect(sent).toHaveLength(3)
    },
  )

  it.each([{ status: 500, body }, { status: 403, body }, { body }, new Error(body)])(
    'backs off only for the team whose request failed: %j',
    async (response) => {
      const { ask, sent } = scene([response])
      await expect(ask('the secret plan')).rejects.toThrow(ProviderFailure)
      await expect(ask('tide')).rejects.toThrow(/asked again in 15 s/)
      expect(await ask('tide', other)).toHaveLength(1)
      expect(sent).toEqual(['the secret plan', 'tide'])
    },
  )

  it('backs off for all teams after failures of two teams in a row, without text of a query', async () => {
    const { ask, sent } = scene([
      { status: 500, body },
      { status: 502, body },
    ])
    await expect(ask('the secret plan')).rejects.toThrow(body)
    await expect(ask('b', other)).rejects.toThrow(body)
    const third = ask('c', { teamId: 'three' })
    await expect(third).rejects.toThrow(/^wikipedia answered 502; it is asked again in 15 s$/i)
    expect(sent).toHaveLength(2)
  })

  it('does not back off for all teams after rejecting requests of two teams in a row', async () => {
    const { ask } = scene([
      { status: 403, body },
      { status: 403, body },
    ])
    await expect(ask('the secret plan')).rejects.toThrow(body)
    await expect(ask('b', other)).rejects.toThrow(body)
    expect(await ask('c', { teamId: 'three' })).toHaveLength(1)
  })

  it('backs off for all teams after a rate limit, without text of a query', async () => {
    const { ask } = scene([{ status: 429, body, headers: { 'retry-after': '60' } }])
    await expect(ask('the secret plan')).rejects.toThrow(body)
    await expect(ask('b', other)).rejects.toThrow(/^wikipedia answered 429; it is asked again in 60 s$/i)
  })

  it.each([{ status: 403, body: 'too many requests' }, { body: '{"error":{"code":"ratelimited"}}' }])(
    'does not back off for all teams because of text that may be that of a query: %j',
    async (response) => {
      const { ask } = scene([response])
      await expect(ask('too many requests')).rejects.toThrow(ProviderFailure)
      expect(await ask('tide', other)).toHaveLength(1)
    },
  )

  it('gets a query again that another team has sent', async () => {
    const { ask, sent } = scene([])
    await ask('tide')
    await ask('tide', other)
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('does not reveal a key that it quotes', async () => {
    const { ask } = scene([{ status: 401, body: 'no such key: k-123' }])
    await expect(ask('a')).rejects.toThrow(/^wikipedia answered 401$/i)
  })
})

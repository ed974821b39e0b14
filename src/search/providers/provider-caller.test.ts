import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { type ProviderAnswer, ProviderFailure, type ProviderRequest } from './provider.ts'
import { createProviderCaller, type ProviderRequester } from './provider-caller.ts'
import { wikipedia } from './wikipedia.ts'

const found = JSON.stringify({ query: { search: [{ title: 'Tide', snippet: 'The rise of the sea.' }] } })

/** Asks Wikipedia by a stand-in for the network; time passes only by `pass`. */
function scene(answers: (Partial<ProviderAnswer> | Error)[]) {
  let now = 1_000_000
  const sent: string[] = []
  const asking = createProviderCaller({
    clock: { now: () => now } as never,
    async send({ url }) {
      sent.push(url.searchParams.get('srsearch') ?? '')
      const answer = answers.shift() ?? { body: found }
      if (answer instanceof Error) throw answer
      return { status: 200, headers: {}, body: '', ...answer }
    },
  })
  const request = (text: string): ProviderRequest => ({
    ...{ source: 'web', query: parseQuery(text), range: { isNewestFirst: false }, most: 5, now: 0 },
  })
  const ask = (text: string, asker: Partial<ProviderRequester> = {}) =>
    asking.ask({ provider: wikipedia, place: { base: wikipedia.base } }, request(text), {
      ...{ teamId: 'one', isPrivate: false, signal: new AbortController().signal },
      ...asker,
    })
  return { ask, sent, pass: (ms: number) => (now += ms) }
}

describe('asking a provider', () => {
  it('gives its results, and the same again without asking', async () => {
    const { ask, sent, pass } = scene([])
    expect(await ask('tide')).toMatchObject([{ title: 'Tide', text: 'The rise of the sea.' }])
    expect(await ask('tide')).toHaveLength(1)
    expect(sent).toEqual(['tide'])
    pass(6 * 60_000)
    await ask('tide')
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('remembers nothing that is private', async () => {
    const { ask, sent } = scene([])
    await ask('tide', { isPrivate: true })
    await ask('tide')
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('lets no team wait behind all the searches of another', async () => {
    const { ask, sent } = scene([])
    const many = ['a', 'b', 'c'].map((text) => ask(text))
    await Promise.all([...many, ask('other', { teamId: 'two' })])
    expect(sent.indexOf('other')).toBeLessThan(3)
  })

  it('leaves one alone that failed, longer each time, and says why', async () => {
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

  it('waits as long as the provider asks', async () => {
    const { ask, pass } = scene([{ status: 429, headers: { 'retry-after': '120' } }])
    await expect(ask('a')).rejects.toMatchObject({ problem: 'rate-limited' })
    pass(119_000)
    await expect(ask('b')).rejects.toThrow(/asked again/)
    pass(1001)
    expect(await ask('b')).toHaveLength(1)
  })

  it('asks again at once where only the key was wrong', async () => {
    const { ask } = scene([{ status: 401 }])
    await expect(ask('a')).rejects.toMatchObject({ problem: 'unauthorized' })
    expect(await ask('b')).toHaveLength(1)
  })

  it('says that it cannot be reached', async () => {
    const { ask } = scene([new Error('connection refused')])
    await expect(ask('a')).rejects.toThrow('wikipedia could not be reached: connection refused')
  })

  it('ends with its caller', async () => {
    const { ask } = scene([])
    await expect(ask('a', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    expect(await ask('b')).toHaveLength(1)
  })
})

describe('a provider that several teams ask', () => {
  const other = { teamId: 'two' }
  const body = 'Bad query: the secret plan'

  it.each([400, 404, 408, 413, 414, 422])(
    'is not disabled by a query that it answers with %i',
    async (status) => {
      const { ask, sent } = scene([{ status, body }])
      await expect(ask('the secret plan')).rejects.toMatchObject({ problem: 'refused' })
      expect(await ask('tide', other)).toHaveLength(1)
      expect(await ask('tide')).toHaveLength(1)
      expect(sent).toHaveLength(3)
    },
  )

  it.each([{ status: 500, body }, { status: 403, body }, { body }, new Error(body)])(
    'is left alone by the team whose request failed, and by no other: %j',
    async (answer) => {
      const { ask, sent } = scene([answer])
      await expect(ask('the secret plan')).rejects.toThrow(ProviderFailure)
      await expect(ask('tide')).rejects.toThrow(/asked again in 15 s/)
      expect(await ask('tide', other)).toHaveLength(1)
      expect(sent).toEqual(['the secret plan', 'tide'])
    },
  )

  it('is left alone by all when it fails for two of them in a row, and shows no text of a query', async () => {
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

  it('is not left alone by all when it refuses requests of two teams in a row', async () => {
    const { ask } = scene([
      { status: 403, body },
      { status: 403, body },
    ])
    await expect(ask('the secret plan')).rejects.toThrow(body)
    await expect(ask('b', other)).rejects.toThrow(body)
    expect(await ask('c', { teamId: 'three' })).toHaveLength(1)
  })

  it('is left alone by all when it limits their common rate, and shows no text of a query', async () => {
    const { ask } = scene([{ status: 429, body, headers: { 'retry-after': '60' } }])
    await expect(ask('the secret plan')).rejects.toThrow(body)
    await expect(ask('b', other)).rejects.toThrow(/^wikipedia answered 429; it is asked again in 60 s$/i)
  })

  it.each([{ status: 403, body: 'too many requests' }, { body: '{"error":{"code":"ratelimited"}}' }])(
    'is not left alone by all because of words that may be those of a query: %j',
    async (answer) => {
      const { ask } = scene([answer])
      await expect(ask('too many requests')).rejects.toThrow(ProviderFailure)
      expect(await ask('tide', other)).toHaveLength(1)
    },
  )

  it('is asked again what another team has asked', async () => {
    const { ask, sent } = scene([])
    await ask('tide')
    await ask('tide', other)
    expect(sent).toEqual(['tide', 'tide'])
  })

  it('does not show the key that it quotes', async () => {
    const { ask } = scene([{ status: 401, body: 'no such key: k-123' }])
    await expect(ask('a')).rejects.toThrow(/^wikipedia answered 401$/i)
  })
})

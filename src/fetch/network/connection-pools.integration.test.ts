import { describe, expect, it } from 'vitest'
import { createConnectionPools, poolKey } from './connection-pools.ts'

function createScene(limits = { maxPools: 2, idleMs: 60_000 }) {
  const events: string[] = []
  const pools = createConnectionPools<string>(limits)
  const use = (key: string, work: () => Promise<unknown> = async () => undefined) =>
    pools.use(
      key,
      () => {
        events.push(`open ${key}`)
        return { value: key, close: () => events.push(`close ${key}`) }
      },
      work,
    )
  return { events, pools, use }
}

describe('createConnectionPools', () => {
  it('opens one pool for all uses of a key', async () => {
    const { events, use } = createScene()
    await Promise.all([use('a'), use('a')])
    await use('a')
    expect(events).toEqual(['open a'])
  })

  it('closes the least recently used pool if there are more than maxPools', async () => {
    const { events, use } = createScene()
    for (const key of ['a', 'b', 'a', 'c']) await use(key)
    await Promise.resolve()
    expect(events.filter((event) => event.startsWith('close'))).toEqual(['close b'])
  })

  it('does not close a pool in use, even if there are more than maxPools', async () => {
    const { events, use } = createScene({ maxPools: 1, idleMs: 60_000 })
    const held = Promise.withResolvers<void>()
    const using = use('a', () => held.promise)
    await use('b')
    await use('c')
    expect(events).toEqual(['open a', 'open b', 'open c', 'close b'])
    held.resolve()
    await using
  })

  it('closes a pool that is unused for idleMs', async () => {
    const { events, use } = createScene({ maxPools: 9, idleMs: 1 })
    await use('a')
    await expect.poll(() => events).toEqual(['open a', 'close a'])
    await use('a')
    expect(events[2]).toBe('open a')
  })

  it('opens a pool again after the first attempt failed', async () => {
    const { pools, use } = createScene()
    const failing = pools.use(
      'a',
      () => Promise.reject(new Error('no')),
      async () => 'used',
    )
    await expect(failing).rejects.toThrow('no')
    await expect(use('a', async () => 'used')).resolves.toBe('used')
  })

  it('throws STOPPING after close()', async () => {
    const { events, pools, use } = createScene()
    await use('a')
    await pools.close()
    await expect(use('b')).rejects.toMatchObject({ code: 'STOPPING' })
    expect(events).toEqual(['open a', 'close a'])
  })
})

describe('poolKey', () => {
  const owner = { team: 'team', job: 'job' }
  const url = new URL('http://site.example/')
  const withUser = new URL('http://user:password@site.example/')

  it.each([
    ['another team', poolKey({ ...owner, team: 'other' })],
    ['another job', poolKey({ ...owner, job: 'other' })],
    ['a header of the caller', poolKey(owner, { headers: { authorization: 'x' } })],
    ['a cookie', poolKey(owner, { cookies: [{ name: 'session', value: 'x' }] })],
    ['credentials in the URL', poolKey(owner, { url: withUser })],
    ['a team that contains the job', poolKey({ team: 'team","job', job: '' })],
  ])('differs for %s', (_, key) => {
    expect(key).not.toBe(poolKey(owner))
  })

  it('is the same for two URLs without credentials, and does not contain credentials', () => {
    expect(poolKey(owner, { url })).toBe(poolKey(owner, { url: new URL('http://other.example/') }))
    expect(poolKey(owner, { url: withUser })).not.toContain('password')
  })
})

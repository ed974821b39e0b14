import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { blobName, sumOf } from '../../platform/blob-name.ts'
import { silentLog } from '../../platform/log.ts'
import type { Blobs } from '../../platform/ports/blobs.ts'
import { postgresDatabase } from '../../store/database/postgres.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import { dropProfileLeases, findProfile } from '../../store/profiles.ts'
import type { Store, Tables } from '../../store/schema.ts'
import type { StorageState } from './profile-state.ts'
import { createProfiles } from './profiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-profiles-'))
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const stores: [string, () => Promise<Store>][] = [
  ['SQLite', async () => sqliteDatabase<Tables>(join(folder, `${Math.random()}.sqlite`))],
  ['PostgreSQL', async () => postgresDatabase<Tables>(await server.createDatabase(), silentLog)],
]

const stateOf = (value: string): StorageState => ({
  cookies: [],
  origins: [{ origin: 'https://site.example', localStorage: [{ name: 'key', value }] }],
})

describe.each(stores)('profiles on %s', (_, open) => {
  let store: Store
  let kept: Map<string, Uint8Array>
  let now: number
  /** Nothing can be removed. */
  let isStuck: boolean
  /** Called with the name of a blob before it is written. */
  let beforePut: (key: string) => Promise<void>
  beforeEach(async () => {
    store = await open()
    await migrate(store)
    kept = new Map()
    now = 1_000_000
    isStuck = false
    beforePut = async () => undefined
  })
  afterEach(async () => {
    vi.useRealTimers()
    await store.close()
  })

  const blobs: Blobs = {
    async put(start, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new Error('A profile is written at once.')
      const key = blobName(start, await sumOf(bytes))
      await beforePut(key)
      kept.set(key, bytes)
      return key
    },
    list: async () => [],
    get: async (key) => kept.get(key),
    open: async () => undefined,
    async delete(key) {
      if (isStuck) throw new Error('the bucket is gone')
      kept.delete(key)
    },
  }
  const clock = { now: () => now, sleep: async () => undefined }
  const create = (key?: string) => createProfiles({ store, blobs, clock, log: silentLog, key })
  const inUse = { code: 'PROFILE_IN_USE' }

  async function saved(value: string, teamId = 'team', name = 'shop') {
    const lease = await create().lease(teamId, name, 'job')
    await lease.save(stateOf(value))
    await lease.giveBack()
  }

  it('are empty until something was saved, and then the same in every process', async () => {
    expect(await create().load('team', 'shop')).toBeUndefined()
    await saved('first')
    expect(await create().load('team', 'shop')).toEqual(stateOf('first'))
    await saved('second')
    expect(await create().load('team', 'shop')).toEqual(stateOf('second'))
    expect(kept.size).toBe(1)
  })

  it('belong to one team and one name', async () => {
    await saved('ours')
    await saved('theirs', 'other')
    await saved('another', 'team', 'shop2')
    expect(await create().load('team', 'shop')).toEqual(stateOf('ours'))
    expect(await create().load('other', 'shop')).toEqual(stateOf('theirs'))
    await create().forget('other', 'shop')
    expect(await create().load('team', 'shop')).toEqual(stateOf('ours'))
    expect(await create().load('other', 'shop')).toBeUndefined()
  })

  it('do not open in the row of another team', async () => {
    await saved('ours')
    await saved('theirs', 'other')
    const theirs = await findProfile(store.query, { teamId: 'other', name: 'shop' })
    await store.query
      .updateTable('profiles')
      .set({ blob: theirs?.blob ?? '' })
      .where('team_id', '=', 'team')
      .execute()
    await expect(create().load('team', 'shop')).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
  })

  it('have one saver, however many ask at once, and any number of readers', async () => {
    await saved('before')
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => create().lease('team', 'shop', `job ${index}`)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = asked.filter((result) => result.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject(inUse)
    expect(refused[0]?.reason.detail.heldBy).toMatch(/^job \d$/)
    expect(await Promise.all([1, 2, 3].map(() => create().load('team', 'shop')))).toEqual(
      Array(3).fill(stateOf('before')),
    )
  })

  it('have one first saver too', async () => {
    const ask = () => create().lease('team', 'new', 'job')
    const asked = await Promise.allSettled([ask(), ask(), ask(), ask()])
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('are free again when the lease was given back, and leave no trace when nothing was saved', async () => {
    const lease = await create().lease('team', 'shop', 'job')
    await lease.giveBack()
    expect(await findProfile(store.query, { teamId: 'team', name: 'shop' })).toBeUndefined()
    await saved('after')
    await lease.giveBack()
    expect(await create().load('team', 'shop')).toEqual(stateOf('after'))
  })

  it('are taken over from a saver that has died, and it cannot write any more', async () => {
    await saved('old')
    const dead = await create().lease('team', 'shop', 'dead')
    now += 44_000
    await expect(create().lease('team', 'shop', 'living')).rejects.toMatchObject(inUse)
    now += 1000
    const living = await create().lease('team', 'shop', 'living')
    await expect(dead.save(stateOf('too late'))).rejects.toMatchObject(inUse)
    await dead.giveBack()
    await living.save(stateOf('new'))
    await living.giveBack()
    await expect(dead.save(stateOf('far too late'))).rejects.toMatchObject(inUse)
    expect(await create().load('team', 'shop')).toEqual(stateOf('new'))
    expect(kept.size).toBe(1)
  })

  it('are not written by a saver that was overtaken while it wrote', async () => {
    await saved('old')
    const slow = await create().lease('team', 'shop', 'slow')
    beforePut = async () => {
      beforePut = async () => undefined
      now += 45_000
      await saved('new')
    }
    await expect(slow.save(stateOf('slow'))).rejects.toMatchObject(inUse)
    expect(await create().load('team', 'shop')).toEqual(stateOf('new'))
    expect(kept.size).toBe(1)
  })

  it('stay with a saver that lives, as long as it does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lease = await create().lease('team', 'shop', 'job')
    const untilOf = async () =>
      (await findProfile(store.query, { teamId: 'team', name: 'shop' }))?.lease_until
    for (let beat = 0; beat < 6; beat += 1) {
      now += 10_000
      vi.advanceTimersByTime(10_000)
      await vi.waitFor(async () => expect(await untilOf()).toBe(now + 45_000))
      await expect(create().lease('team', 'shop', 'other')).rejects.toMatchObject(inUse)
    }
    await lease.giveBack()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keep the old state when saving breaks off, and leave nothing behind', async () => {
    await saved('old')
    const failing = await create().lease('team', 'shop', 'job')
    beforePut = async (key) => {
      kept.set(key, Uint8Array.of(1, 2, 3))
      throw new Error('the power went')
    }
    await expect(failing.save(stateOf('half'))).rejects.toThrow('the power went')
    expect(await create().load('team', 'shop')).toEqual(stateOf('old'))
    beforePut = async () => undefined
    now += 45_000
    await saved('next')
    expect(await create().load('team', 'shop')).toEqual(stateOf('next'))
    expect(kept.size).toBe(1)
  })

  it('are whole after two saves of one saver at once', async () => {
    const lease = await create().lease('team', 'shop', 'job')
    await Promise.all([lease.save(stateOf('first')), lease.save(stateOf('second'))])
    await lease.giveBack()
    expect(await create().load('team', 'shop')).toEqual(stateOf('second'))
    expect(kept.size).toBe(1)
  })

  it('are not forgotten while somebody may save, and nothing is left of them after that', async () => {
    await saved('old')
    const lease = await create().lease('team', 'shop', 'job')
    await expect(create().forget('team', 'shop')).rejects.toMatchObject(inUse)
    await lease.giveBack()
    await create().forget('team', 'shop')
    await create().forget('team', 'shop')
    expect(await create().load('team', 'shop')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  it('are forgotten for good only when their bytes are gone', async () => {
    await saved('old')
    isStuck = true
    await expect(create().forget('team', 'shop')).rejects.toThrow('the bucket is gone')
    expect(await create().load('team', 'shop')).toBeUndefined()
    isStuck = false
    await create().forget('team', 'shop')
    expect(kept.size).toBe(0)
    expect(await findProfile(store.query, { teamId: 'team', name: 'shop' })).toBeUndefined()
  })

  it('are saved where the old bytes cannot be removed, and those go with the next', async () => {
    await saved('old')
    isStuck = true
    await saved('new')
    expect(await create().load('team', 'shop')).toEqual(stateOf('new'))
    isStuck = false
    await saved('newest')
    expect(kept.size).toBe(1)
  })

  it('are not brought back by a saver that had died when they were forgotten', async () => {
    const dead = await create().lease('team', 'shop', 'dead')
    beforePut = async () => {
      now += 45_000
      await create().forget('team', 'shop')
    }
    await expect(dead.save(stateOf('zombie'))).rejects.toMatchObject(inUse)
    expect(await create().load('team', 'shop')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  it('end in one of two ways when a save and a deletion meet', async () => {
    for (let round = 0; round < 10; round += 1) {
      const lease = await create().lease('team', 'shop', 'job')
      const [save, forgotten] = await Promise.allSettled([
        lease.save(stateOf(`${round}`)).then(() => lease.giveBack()),
        create().forget('team', 'shop'),
      ])
      expect(save.status).toBe('fulfilled')
      const state = forgotten.status === 'fulfilled' ? undefined : stateOf(`${round}`)
      expect(await create().load('team', 'shop')).toEqual(state)
      expect(kept.size).toBe(state ? 1 : 0)
    }
  })

  it('are read whole while they are being replaced', async () => {
    await saved('0')
    const reading = Array.from({ length: 20 }, () => create().load('team', 'shop'))
    for (let round = 1; round < 5; round += 1) await saved(`${round}`)
    for (const state of await Promise.all(reading))
      expect(state?.origins[0]?.localStorage[0]?.value).toMatch(/^\d$/)
  })

  it('stay readable when a key is set later, and are sealed with it from then on', async () => {
    await saved('before')
    const withKey = create('k'.repeat(32))
    expect(await withKey.load('team', 'shop')).toEqual(stateOf('before'))
    const lease = await withKey.lease('team', 'shop', 'job')
    await lease.save(stateOf('after'))
    await lease.giveBack()
    expect(await withKey.load('team', 'shop')).toEqual(stateOf('after'))
    await expect(create().load('team', 'shop')).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
    await withKey.forget('team', 'shop')
  })

  it('say so when their blob is gone', async () => {
    await saved('old')
    kept.clear()
    await expect(create().load('team', 'shop')).rejects.toMatchObject({ code: 'PROFILE_UNREADABLE' })
  })

  it('are free at once when the only process of a store starts again', async () => {
    await saved('old')
    await create().lease('team', 'shop', 'job of the process that died')
    await dropProfileLeases(store.query)
    await saved('new')
    expect(await create().load('team', 'shop')).toEqual(stateOf('new'))
  })
})

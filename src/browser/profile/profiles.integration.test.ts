import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { blobName, computeBlobSum } from '../../platform/blob-name.ts'
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

describe.each(stores)('createProfiles on %s', (_, open) => {
  let store: Store
  let storedBlobs: Map<string, Uint8Array>
  let now: number
  /** True if deleting a blob fails. */
  let isDeleteFailing: boolean
  /** Called with the name of a blob before it is written. */
  let beforePut: (key: string) => Promise<void>
  beforeEach(async () => {
    store = await open()
    await migrate(store)
    storedBlobs = new Map()
    now = 1_000_000
    isDeleteFailing = false
    beforePut = async () => undefined
  })
  afterEach(async () => {
    vi.useRealTimers()
    await store.close()
  })

  const blobs: Blobs = {
    async put(start, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new Error('A profile is written at once.')
      const key = blobName(start, await computeBlobSum(bytes))
      await beforePut(key)
      storedBlobs.set(key, bytes)
      return key
    },
    list: async () => [],
    get: async (key) => storedBlobs.get(key),
    open: async () => undefined,
    async delete(key) {
      if (isDeleteFailing) throw new Error('the bucket is gone')
      storedBlobs.delete(key)
    },
  }
  const clock = { now: () => now, sleep: async () => undefined }
  const createTestProfiles = (key?: string) => createProfiles({ store, blobs, clock, log: silentLog, key })
  const inUseError = { code: 'PROFILE_IN_USE' }

  async function saveState(value: string, teamId = 'team', name = 'shop') {
    const lease = await createTestProfiles().lease(teamId, name, 'job')
    await lease.save(stateOf(value))
    await lease.release()
  }

  it('returns undefined before the first save, then the last saved state in every process', async () => {
    expect(await createTestProfiles().load('team', 'shop')).toBeUndefined()
    await saveState('first')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('first'))
    await saveState('second')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('second'))
    expect(storedBlobs.size).toBe(1)
  })

  it('separates profiles by team and name', async () => {
    await saveState('ours')
    await saveState('theirs', 'other')
    await saveState('another', 'team', 'shop2')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('ours'))
    expect(await createTestProfiles().load('other', 'shop')).toEqual(stateOf('theirs'))
    await createTestProfiles().delete('other', 'shop')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('ours'))
    expect(await createTestProfiles().load('other', 'shop')).toBeUndefined()
  })

  it('throws PROFILE_UNREADABLE for a blob of another team', async () => {
    await saveState('ours')
    await saveState('theirs', 'other')
    const theirs = await findProfile(store.query, { teamId: 'other', name: 'shop' })
    await store.query
      .updateTable('profiles')
      .set({ blob: theirs?.blob ?? '' })
      .where('team_id', '=', 'team')
      .execute()
    await expect(createTestProfiles().load('team', 'shop')).rejects.toMatchObject({
      code: 'PROFILE_UNREADABLE',
    })
  })

  it('grants one of 8 concurrent leases, and any number of reads', async () => {
    await saveState('before')
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => createTestProfiles().lease('team', 'shop', `job ${index}`)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rejected = results.filter((result) => result.status === 'rejected')
    for (const { reason } of rejected) expect(reason).toMatchObject(inUseError)
    expect(rejected[0]?.reason.detail.heldBy).toMatch(/^job \d$/)
    expect(await Promise.all([1, 2, 3].map(() => createTestProfiles().load('team', 'shop')))).toEqual(
      Array(3).fill(stateOf('before')),
    )
  })

  it('grants one of 4 concurrent leases for a new profile', async () => {
    const requestLease = () => createTestProfiles().lease('team', 'new', 'job')
    const results = await Promise.allSettled([requestLease(), requestLease(), requestLease(), requestLease()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('frees the profile when the lease is released, and removes the row if nothing was saved', async () => {
    const lease = await createTestProfiles().lease('team', 'shop', 'job')
    await lease.release()
    expect(await findProfile(store.query, { teamId: 'team', name: 'shop' })).toBeUndefined()
    await saveState('after')
    await lease.release()
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('after'))
  })

  it('transfers an expired lease to another holder and rejects saves of the old one', async () => {
    await saveState('old')
    const expired = await createTestProfiles().lease('team', 'shop', 'dead')
    now += 44_000
    await expect(createTestProfiles().lease('team', 'shop', 'living')).rejects.toMatchObject(inUseError)
    now += 1000
    const successor = await createTestProfiles().lease('team', 'shop', 'living')
    await expect(expired.save(stateOf('too late'))).rejects.toMatchObject(inUseError)
    await expired.release()
    await successor.save(stateOf('new'))
    await successor.release()
    await expect(expired.save(stateOf('far too late'))).rejects.toMatchObject(inUseError)
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('new'))
    expect(storedBlobs.size).toBe(1)
  })

  it('rejects a save if the lease was lost during the write', async () => {
    await saveState('old')
    const slow = await createTestProfiles().lease('team', 'shop', 'slow')
    beforePut = async () => {
      beforePut = async () => undefined
      now += 45_000
      await saveState('new')
    }
    await expect(slow.save(stateOf('slow'))).rejects.toMatchObject(inUseError)
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('new'))
    expect(storedBlobs.size).toBe(1)
  })

  it('renews the lease until it is released', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lease = await createTestProfiles().lease('team', 'shop', 'job')
    const getLeaseEnd = async () =>
      (await findProfile(store.query, { teamId: 'team', name: 'shop' }))?.lease_until
    for (let beat = 0; beat < 6; beat += 1) {
      now += 10_000
      vi.advanceTimersByTime(10_000)
      await vi.waitFor(async () => expect(await getLeaseEnd()).toBe(now + 45_000))
      await expect(createTestProfiles().lease('team', 'shop', 'other')).rejects.toMatchObject(inUseError)
    }
    await lease.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the old state if a save fails, and deletes the partial blob later', async () => {
    await saveState('old')
    const failing = await createTestProfiles().lease('team', 'shop', 'job')
    beforePut = async (key) => {
      storedBlobs.set(key, Uint8Array.of(1, 2, 3))
      throw new Error('the power went')
    }
    await expect(failing.save(stateOf('half'))).rejects.toThrow('the power went')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('old'))
    beforePut = async () => undefined
    now += 45_000
    await saveState('next')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('next'))
    expect(storedBlobs.size).toBe(1)
  })

  it('runs two concurrent saves of one lease in order', async () => {
    const lease = await createTestProfiles().lease('team', 'shop', 'job')
    await Promise.all([lease.save(stateOf('first')), lease.save(stateOf('second'))])
    await lease.release()
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('second'))
    expect(storedBlobs.size).toBe(1)
  })

  it('rejects deletion during a lease, and deletes all data afterwards', async () => {
    await saveState('old')
    const lease = await createTestProfiles().lease('team', 'shop', 'job')
    await expect(createTestProfiles().delete('team', 'shop')).rejects.toMatchObject(inUseError)
    await lease.release()
    await createTestProfiles().delete('team', 'shop')
    await createTestProfiles().delete('team', 'shop')
    expect(await createTestProfiles().load('team', 'shop')).toBeUndefined()
    expect(storedBlobs.size).toBe(0)
  })

  it('deletes the profile only after its blob was deleted', async () => {
    await saveState('old')
    isDeleteFailing = true
    await expect(createTestProfiles().delete('team', 'shop')).rejects.toThrow('the bucket is gone')
    expect(await createTestProfiles().load('team', 'shop')).toBeUndefined()
    isDeleteFailing = false
    await createTestProfiles().delete('team', 'shop')
    expect(storedBlobs.size).toBe(0)
    expect(await findProfile(store.query, { teamId: 'team', name: 'shop' })).toBeUndefined()
  })

  it('saves a state if the old blob cannot be deleted, and deletes that blob on the next save', async () => {
    await saveState('old')
    isDeleteFailing = true
    await saveState('new')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('new'))
    isDeleteFailing = false
    await saveState('newest')
    expect(storedBlobs.size).toBe(1)
  })

  it('does not restore a deleted profile by a save with an expired lease', async () => {
    const expired = await createTestProfiles().lease('team', 'shop', 'dead')
    beforePut = async () => {
      now += 45_000
      await createTestProfiles().delete('team', 'shop')
    }
    await expect(expired.save(stateOf('zombie'))).rejects.toMatchObject(inUseError)
    expect(await createTestProfiles().load('team', 'shop')).toBeUndefined()
    expect(storedBlobs.size).toBe(0)
  })

  it('either deletes or keeps a profile completely if save and deletion are concurrent', async () => {
    for (let round = 0; round < 10; round += 1) {
      const lease = await createTestProfiles().lease('team', 'shop', 'job')
      const [save, deletion] = await Promise.allSettled([
        lease.save(stateOf(`${round}`)).then(() => lease.release()),
        createTestProfiles().delete('team', 'shop'),
      ])
      expect(save.status).toBe('fulfilled')
      const state = deletion.status === 'fulfilled' ? undefined : stateOf(`${round}`)
      expect(await createTestProfiles().load('team', 'shop')).toEqual(state)
      expect(storedBlobs.size).toBe(state ? 1 : 0)
    }
  })

  it('returns complete states while the profile is being replaced', async () => {
    await saveState('0')
    const reading = Array.from({ length: 20 }, () => createTestProfiles().load('team', 'shop'))
    for (let round = 1; round < 5; round += 1) await saveState(`${round}`)
    for (const state of await Promise.all(reading))
      expect(state?.origins[0]?.localStorage[0]?.value).toMatch(/^\d$/)
  })

  it('decrypts old states after a key was set, and encrypts new ones with it', async () => {
    await saveState('before')
    const withKey = createTestProfiles('k'.repeat(32))
    expect(await withKey.load('team', 'shop')).toEqual(stateOf('before'))
    const lease = await withKey.lease('team', 'shop', 'job')
    await lease.save(stateOf('after'))
    await lease.release()
    expect(await withKey.load('team', 'shop')).toEqual(stateOf('after'))
    await expect(createTestProfiles().load('team', 'shop')).rejects.toMatchObject({
      code: 'PROFILE_UNREADABLE',
    })
    await withKey.delete('team', 'shop')
  })

  it('throws PROFILE_UNREADABLE if the blob is missing', async () => {
    await saveState('old')
    storedBlobs.clear()
    await expect(createTestProfiles().load('team', 'shop')).rejects.toMatchObject({
      code: 'PROFILE_UNREADABLE',
    })
  })

  it('frees all leases when the only process of a store restarts', async () => {
    await saveState('old')
    await createTestProfiles().lease('team', 'shop', 'job of the process that died')
    await dropProfileLeases(store.query)
    await saveState('new')
    expect(await createTestProfiles().load('team', 'shop')).toEqual(stateOf('new'))
  })
})

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/jobs/sweeper.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { silentLog } from '../../src/platform/log.ts'
import { diskBlobs } from '../../src/store/blobs/disk.ts'
import { postgresDatabase } from '../../src/store/database/postgres.ts'
import { sqliteDatabase } from '../../src/store/database/sqlite.ts'
import { migrate } from '../../src/store/migrate.ts'
import { cacheKeyVersion, findPage, storePage } from '../../src/store/pages.ts'
import type { Store, Tables } from '../../src/store/schema.ts'
import { startPostgres } from '../servers/postgres.ts'
import { temporaryFolder } from '../service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const stores: Record<string, () => Promise<{ store: Store; stop(): Promise<void> }>> = {
  async SQLite() {
    const store = sqliteDatabase<Tables>(join(folder.path, 'store.sqlite'))
    return { store, stop: () => store.close() }
  },
  async PostgreSQL() {
    const server = await startPostgres()
    const store = postgresDatabase<Tables>(await server.createDatabase(), silentLog)
    const stop = async () => {
      await store.close()
      await server.stop()
    }
    return { store, stop }
  },
}

describe.each(Object.entries(stores))('cached pages with an older cache key version, on %s', (name, open) => {
  it('are removed with their blobs, and pages with the current or a newer version stay', async () => {
    const { store, stop } = await open()
    await migrate(store)
    const blobs = diskBlobs(join(folder.path, name))
    const now = systemClock.now()
    const teamId = randomUUID()
    const versions = { old: cacheKeyVersion - 1, current: cacheKeyVersion, newer: cacheKeyVersion + 1 }
    for (const [key, version] of Object.entries(versions)) {
      await blobs.put(key, Buffer.from(key))
      const page = {
        cache_key: key,
        team_id: teamId,
        url: key,
        requested_url: key,
        status: 200,
        headers: '{}',
      }
      const stored = { rendered: 0, body: null, blob: key, notes: null, fetched_at: now, bytes: 1 }
      await storePage(store, { ...page, ...stored }, { maxTeamBytes: 100 })
      await store.query
        .updateTable('pages')
        .set({ key_version: version })
        .where('cache_key', '=', key)
        .execute()
    }
    const find = (cacheKey: string) =>
      findPage(store.query, { teamId, cacheKey, fetchedAfter: 0, fetchedBefore: now })
    // Another version may compute keys from other data.
    expect([await find('old'), await find('newer')]).toEqual([undefined, undefined])
    const limits = { retentionHours: 24, cacheDays: 2, removeIndexedPages: async () => {} }
    await sweep({ store, blobs, clock: systemClock, log: silentLog, ...limits })
    const rows = await store.query.selectFrom('pages').select('cache_key').orderBy('cache_key').execute()
    expect(rows.map(({ cache_key }) => cache_key)).toEqual(['current', 'newer'])
    expect([await blobs.get('old'), await find('current')]).toMatchObject([undefined, { blob: 'current' }])
    const sizes = await store.query.selectFrom('cache_sizes').select('bytes').execute()
    expect(sizes).toEqual([{ bytes: 2 }])
    await stop()
  })
})

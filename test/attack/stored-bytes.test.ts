import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { silentLog } from '../../src/platform/log.ts'
import { postgresDatabase } from '../../src/store/database/postgres.ts'
import { sqliteDatabase } from '../../src/store/database/sqlite.ts'
import { migrate } from '../../src/store/migrate.ts'
import { removePagesBefore, storePage } from '../../src/store/pages.ts'
import type { Store, Tables } from '../../src/store/schema.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { temporaryFolder } from '../service.ts'

const maxTeamBytes = 1_000_000
const folder = temporaryFolder()
let postgres: PostgresServer
/** Connections per store: two to one PostgreSQL, as two processes have them, and one to SQLite. */
const stores: Record<string, Store[]> = {}

beforeAll(async () => {
  postgres = await startPostgres()
  const url = await postgres.createDatabase()
  stores.SQLite = [sqliteDatabase<Tables>(join(folder.path, 'test.sqlite'))]
  stores.PostgreSQL = [1, 2].map(() => postgresDatabase<Tables>(url, silentLog))
  for (const [first] of Object.values(stores)) if (first) await migrate(first)
}, 60_000)
afterAll(async () => {
  for (const store of Object.values(stores).flat()) await store.close()
  await postgres.stop()
  folder.remove()
})

const pageOf = (team_id: string, number: number) => ({
  ...{ team_id, cache_key: `key ${number}`, url: 'https://a.example/', requested_url: 'https://a.example/' },
  ...{ status: 200, headers: '{}', rendered: 0, notes: null, fetched_at: number },
  ...{ body: null, blob: `pages/${team_id}-${number}`, bytes: 60_000 + (number % 7) * 1000 },
})

describe.each(['SQLite', 'PostgreSQL'])('stored bytes of a team on %s', (name) => {
  const sum = async (team: string) => {
    const query = stores[name]?.[0]?.query
    const rows = await query
      ?.selectFrom('pages')
      .select(['bytes', 'blob'])
      .where('team_id', '=', team)
      .execute()
    const counted = await query
      ?.selectFrom('cache_sizes')
      .select('bytes')
      .where('team_id', '=', team)
      .executeTakeFirst()
    return {
      counted: counted?.bytes,
      stored: rows?.reduce((total, { bytes }) => total + bytes, 0),
      blobs: rows?.map(({ blob }) => blob).sort(),
    }
  }

  it('stay within the bound and are counted exactly if processes store concurrently', async () => {
    const [team, other] = [newId(), newId()]
    const own = stores[name] ?? []
    const store = (teamId: string, number: number) =>
      storePage(own[number % own.length] as Store, pageOf(teamId, number), { maxTeamBytes })
    await store(other, 1)
    const numbers = Array.from({ length: 80 }, (_, index) => index)
    await Promise.all(numbers.map((number) => store(team, number)))
    const deletions = await own[0]?.query
      .selectFrom('blob_deletions')
      .select('name')
      .where('name', 'like', `pages/${team}-%`)
      .execute()
    const removed = deletions?.map((row) => row.name) ?? []
    const { counted, stored, blobs } = await sum(team)
    expect(counted).toBe(stored)
    expect(stored).toBeLessThanOrEqual(maxTeamBytes)
    expect(stored).toBeGreaterThan(maxTeamBytes - 130_000)
    // Every blob is either referenced by a row or scheduled for deletion, exactly once.
    expect([...removed, ...(blobs ?? [])].sort()).toEqual(
      numbers.map((number) => `pages/${team}-${number}`).sort(),
    )
    expect((await sum(other)).stored).toBe(61_000)
  })

  it('evict the oldest pages first, and stay exact if other pages are removed', async () => {
    const team = newId()
    const store = stores[name]?.[0] as Store
    for (let number = 1000; number < 1020; number += 1)
      await storePage(store, pageOf(team, number), { maxTeamBytes })
    expect((await sum(team)).blobs).not.toContain(`pages/${team}-1000`)
    expect((await sum(team)).blobs).toContain(`pages/${team}-1019`)
    await removePagesBefore(store.query, 1010)
    const { counted, stored } = await sum(team)
    expect(counted).toBe(stored)
  })
})

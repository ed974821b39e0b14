import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../test/servers/postgres.ts'
import { silentLog } from '../platform/log.ts'
import { postgresDatabase } from './database/postgres.ts'
import { sqliteDatabase } from './database/sqlite.ts'
import { migrate } from './migrate.ts'
import type { Store, Tables } from './schema.ts'
import { addPending, claimPending } from './search-pending.ts'

const teams = Array.from({ length: 12 }, (_, number) => `team-${String(number).padStart(2, '0')}`)

function pendingContract(open: () => Store): void {
  beforeAll(async () => {
    await migrate(open())
    const teamDefaults = {
      balance: null,
      concurrency: null,
      zero_retention: 0,
      webhook_secret: null,
      created_at: 0,
    }
    await open()
      .query.insertInto('teams')
      .values(teams.map((id) => ({ id, name: id, ...teamDefaults })))
      .execute()
  })
  beforeEach(async () => {
    await open().query.deleteFrom('search_pending').execute()
  })

  const add = (team: string, count: number) =>
    addPending(
      open().query,
      Array.from({ length: count }, (_, page) => ({
        ...{ team_id: team, url: `https://a.test/${page}`, type: 'html', fields: Buffer.from('x') },
        ...{ fetched_at: 0, expires_at: 1e15, created_at: 0 },
      })),
    )
  const claim = (afterTeam = '', now = 1) =>
    claimPending(open(), { limit: 64, now, durationMs: 1000, afterTeam })

  it('gives each team with pending pages the same share of a claim', async () => {
    await add('team-00', 300)
    await add('team-05', 2)
    const rows = await claim()
    expect(rows.filter(({ team_id }) => team_id === 'team-00')).toHaveLength(32)
    expect(rows.filter(({ team_id }) => team_id === 'team-05')).toHaveLength(2)
  })

  it('claims pages of the teams after the last one first, then those from the start', async () => {
    for (const team of teams) await add(team, 50)
    const first = (await claim('team-07')).map(({ team_id }) => team_id)
    expect([...new Set(first)]).toEqual([...teams.slice(8), ...teams.slice(0, 4)])
    const second = (await claim(first.at(-1))).map(({ team_id }) => team_id)
    expect([...new Set(second)]).toEqual(teams.slice(4))
  })

  it('claims each page once with several concurrent processes', async () => {
    await add('team-00', 150)
    await add('team-01', 20)
    const claimed: string[] = []
    const work = async () => {
      // Rows that another process has locked are skipped, so an empty claim is not the end.
      for (let empty = 0; empty < 20; ) {
        const rows = await claim()
        empty = rows.length === 0 ? empty + 1 : 0
        claimed.push(...rows.map(({ id }) => id))
      }
    }
    await Promise.all([work(), work(), work()])
    expect([claimed.length, new Set(claimed).size]).toEqual([170, 170])
  })

  it('claims pages again after their claim has expired, after new pages', async () => {
    await add('team-00', 1)
    const [old] = await claim()
    expect(await claim()).toEqual([])
    await add('team-00', 1)
    const rows = await claim('', 2000)
    expect(rows.map(({ id, attempts }) => [id === old?.id, attempts])).toEqual([
      [false, 0],
      [true, 1],
    ])
  })
}

describe('claimPending on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-pending-'))
  let store: Store
  beforeAll(() => {
    store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  pendingContract(() => store)
})

describe('claimPending on PostgreSQL', () => {
  let server: PostgresServer
  let store: Store
  beforeAll(async () => {
    server = await startPostgres()
    store = postgresDatabase<Tables>(await server.createDatabase(), silentLog)
  })
  afterAll(async () => {
    await store.close()
    await server.stop()
  })
  pendingContract(() => store)
})

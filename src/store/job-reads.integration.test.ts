import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../test/servers/postgres.ts'
import { silentLog } from '../platform/log.ts'
import { postgresDatabase } from './database/postgres.ts'
import { endJob } from './jobs/jobs.ts'
import { findQueueHeads } from './jobs/leases.ts'
import { countFreeForBackground } from './jobs/slots.ts'
import { migrate } from './migrate.ts'
import type { Queryable, Store, Tables } from './schema.ts'
import { createTeam } from './teams.ts'

let server: PostgresServer
let store: Store
beforeAll(async () => {
  server = await startPostgres()
  store = postgresDatabase<Tables>(await server.createDatabase(), silentLog)
  await migrate(store)
  const { id } = await createTeam(store.query, { name: 'team', balance: null, now: 0 })
  await insert(id, { state: 'completed', count: 5000 })
  // The table statistics of PostgreSQL are from a time when no job ran.
  await sql`analyze jobs`.execute(store.query)
  await insert(id, { state: 'running', count: 500 })
})
afterAll(async () => {
  await store.close()
  await server.stop()
})

async function insert(
  teamId: string,
  { state, count, prefix = '' }: { state: string; count: number; prefix?: string },
): Promise<void> {
  const isRunning = state === 'running'
  await sql`insert into jobs (id, team_id, kind, state, foreground, takes_slot, input, retain, attempts, leased_by, lease_until,
      deadline_at, created_at, queued_at, finished_at, children_ended, credits)
    select ${prefix} || ${state} || n, ${teamId}, 'scrape', ${state}, 0, 1, '{}', 1, 1, ${isRunning ? 'me' : null},
      ${isRunning ? 1000 : null}::bigint, 1, n, n, ${isRunning ? null : 1}::bigint, 0, 1
    from generate_series(1, ${count}::bigint) n`.execute(store.query)
}

/** Returns the number of job rows that this transaction has fetched by an index. */
async function countRowsRead(transaction: Queryable): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'jobs'`.execute(transaction)
  return Number(rows[0]?.read)
}

describe('endJob on PostgreSQL', () => {
  it('reads its own row, and none of the other jobs of its holder', async () => {
    const read = await store.transaction(async (transaction) => {
      const isEnded = await endJob(transaction, {
        ...{ id: 'running250', holder: 'me', state: 'completed', credits: 1, result: null, resultBlob: null },
        ...{ input: '{}', error: undefined, now: 1, erase: false },
      })
      expect(isEnded).toBe(true)
      return countRowsRead(transaction)
    })
    expect(read).toBeLessThan(10)
  })
})

describe('findQueueHeads on PostgreSQL', () => {
  it('returns the oldest queued job of each team, and reads no others', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) => createTeam(store.query, { name, balance: null, now: 0 })),
    )
    for (const [index, team] of [one, other].entries())
      await insert(team?.id ?? '', { state: 'queued', count: 300, prefix: `${index}-` })
    await sql`analyze jobs`.execute(store.query)
    await store.transaction(async (transaction) => {
      const heads = await findQueueHeads(transaction, 1)
      expect(new Map(heads.map(({ teamId, jobId }) => [teamId, jobId]))).toEqual(
        new Map([
          [one?.id, '0-queued1'],
          [other?.id, '1-queued1'],
        ]),
      )
      expect(await countRowsRead(transaction)).toBeLessThan(20)
      expect(await findQueueHeads(transaction, 0)).toEqual([])
      const slots = { teamId: one?.id ?? '', concurrency: 3, now: 0 }
      expect(await countFreeForBackground(transaction, slots)).toBe(3)
      expect(await countFreeForBackground(transaction, { ...slots, teamId: 'unknown' })).toBe(0)
    })
  })
})

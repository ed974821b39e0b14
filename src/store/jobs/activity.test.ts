import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { sqliteDatabase } from '../database/sqlite.ts'
import { migrate } from '../migrate.ts'
import type { JobState, Store, Tables } from '../schema.ts'
import { createTeam } from '../teams.ts'
import { findLastSuccess, listActivity } from './activity.ts'
import { listCalls } from './child-jobs.ts'
import { countCallsOfDay } from './daily-usage.ts'
import { countQueued } from './jobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-activity-'))
afterAll(() => rmSync(folder, { recursive: true }))

let store: Store
let teamId: string
beforeEach(async () => {
  store = sqliteDatabase<Tables>(join(folder, `${Math.random()}.sqlite`))
  await migrate(store)
  teamId = (await createTeam(store.query, { name: 'team', balance: null, now: 0 })).id
  return () => store.close()
})

interface Jobs {
  state: JobState
  count: number
  kind?: string
  parentId?: string
  createdAt?: number
}

/** Inserts jobs that are created one after the other. Their ids sort in this order. */
async function insert({ state, count, kind = 'scrape', parentId, createdAt = 1 }: Jobs): Promise<void> {
  const prefix = `${kind}-${state}-${createdAt}-`
  await sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})
    insert into jobs (id, team_id, parent_id, kind, state, foreground, takes_slot, input, retain, attempts,
      deadline_at, created_at, queued_at, finished_at, children_ended, credits)
    select ${prefix} || substr('0000000' || n, -7), ${teamId}, ${parentId ?? null}, ${kind}, ${state}, 0, 1, '{}', 1, 1,
      1, n / 3 + ${createdAt}, n, ${createdAt}, 0, 1 from numbers`.execute(store.query)
}

it('findLastSuccess reads a bounded number of jobs that did not complete', async () => {
  await insert({ state: 'completed', count: 1, createdAt: 1 })
  await insert({ state: 'failed', count: 999, createdAt: 2 })
  expect(await findLastSuccess(store.query, teamId)).toBe(1)
  await insert({ state: 'queued', count: 5000, createdAt: 2000, parentId: 'parent' })
  expect(await findLastSuccess(store.query, teamId)).toBe(1)
  await insert({ state: 'failed', count: 1, createdAt: 3 })
  expect(await findLastSuccess(store.query, teamId)).toBeNull()
})

it('countQueued counts jobs in the queue and on hold', async () => {
  await insert({ state: 'queued', count: 3 })
  await insert({ state: 'held', count: 2 })
  await insert({ state: 'running', count: 1 })
  expect(await countQueued(store.query, teamId)).toBe(5)
})

it('listActivity finds rare calls among many others, newest first and page by page', async () => {
  await insert({ state: 'failed', count: 2, createdAt: 5 })
  await insert({ state: 'completed', count: 4500, createdAt: 1 })
  await insert({ state: 'failed', count: 2, createdAt: 900 })
  await insert({ state: 'failed', count: 1, createdAt: 900, kind: 'map' })
  const page = { teamId, states: ['failed'], since: 2 } as const
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  const all = [
    'scrape-failed-900-0000001',
    'scrape-failed-900-0000000',
    'map-failed-900-0000000',
    'scrape-failed-5-0000001',
    'scrape-failed-5-0000000',
  ]
  const first = await listActivity(store.query, { ...page, limit: 2 })
  expect(ids(first)).toEqual(all.slice(0, 2))
  expect(ids(await listActivity(store.query, { ...page, before: first[1], limit: 10 }))).toEqual(all.slice(2))
  expect(ids(await listCalls(store.query, { teamId, kind: 'map', before: 901, limit: 5 }))).toEqual([all[2]])
  expect(await listCalls(store.query, { teamId, kind: 'map', before: 900, limit: 5 })).toEqual([])
  const everything = await listActivity(store.query, { teamId, since: 0, limit: 5000 })
  expect(new Set(ids(everything)).size).toBe(4505)
})

it('countCallsOfDay counts each call of the day once', async () => {
  await insert({ state: 'failed', count: 2500, createdAt: 86_400_000 })
  await insert({ state: 'completed', count: 1, createdAt: 86_399_999 })
  await insert({ state: 'completed', count: 3, createdAt: 2 * 86_400_000 - 1 })
  const counts = await countCallsOfDay(store.query, { teamId, day: 1 })
  expect(counts).toEqual([
    { state: 'completed', calls: 3 },
    { state: 'failed', calls: 2500 },
  ])
})

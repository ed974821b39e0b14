import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  dropAllLeases,
  findAbandoned,
  findQueueHeads,
  renewLeases,
  requeueJobs,
  teamsWaiting,
} from './leases.ts'
import { migrate } from './migrate.ts'
import type { Store, Tables } from './schema.ts'
import { createTeam } from './teams.ts'

let folder: string
let store: Store
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-test-'))
  store = sqliteDatabase<Tables>(join(folder, 'winnow.sqlite'))
  await migrate(store)
  const { id } = await createTeam(store.query, { name: 'team', balance: null, now: 0 })
  ofTeam.teamId = id
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const lease = { holder: 'me', until: 2, now: 1 }
const ofTeam = { teamId: '', most: 10, concurrency: 10, lease }

// SQLite answers on the main thread: a query that reads the table of jobs would block all calls for longer and longer.
it.each([
  ['requeueJobs, by lease', () => requeueJobs(store, { leaseBefore: 1, attemptsBelow: 5 })],
  ['requeueJobs, of a holder', () => requeueJobs(store, { holder: 'me' })],
  ['requeueJobs, one of a holder', () => requeueJobs(store, { holder: 'me', id: 'job' })],
  ['findAbandoned', () => findAbandoned(store.query, 1)],
  ['teamsWaiting', () => teamsWaiting(store.query)],
  ['findQueueHeads', () => findQueueHeads(store.query, 1)],
  ['claimForTeam', () => claimForTeam(store, ofTeam)],
  ['claimSlotlessJobs', () => claimSlotlessJobs(store, ofTeam)],
  ['renewLeases', () => renewLeases(store, ['job'], lease)],
  ['dropAllLeases', () => dropAllLeases(store.query)],
])('%s reads no job but those it is about', async (_, run) => {
  const texts = await statementsOf(run)
  expect(texts.some((text) => text.includes('jobs'))).toBe(true)
  const plans = texts.flatMap(planOf).filter((step) => step.startsWith('SCAN jobs'))
  // An index of the jobs in one state holds no others.
  expect(plans.filter((step) => !/ USING (?:COVERING )?INDEX jobs_/.test(step))).toEqual([])
})

async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const { prepare } = DatabaseSync.prototype
  const texts: string[] = []
  onTestFinished(() => {
    DatabaseSync.prototype.prepare = prepare
  })
  DatabaseSync.prototype.prepare = function (text: string) {
    texts.push(text)
    return prepare.call(this, text)
  }
  await run()
  return texts
}

function planOf(text: string): string[] {
  const database = new DatabaseSync(join(folder, 'winnow.sqlite'))
  try {
    const values = Array.from({ length: text.split('?').length - 1 }, () => null)
    const steps = database.prepare(`explain query plan ${text}`).all(...values)
    return steps.map(({ detail }) => String(detail))
  } finally {
    database.close()
  }
}

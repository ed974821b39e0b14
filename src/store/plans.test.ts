import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { sqliteDatabase } from './database/sqlite.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  dropAllLeases,
  findAbandoned,
  findQueueHeads,
  listTeamsWithQueuedJobs,
  renewLeases,
  requeueJobs,
} from './jobs/leases.ts'
import { migrate } from './migrate.ts'
import type { Store, Tables } from './schema.ts'
import { createTeam } from './teams.ts'

const lease = { holder: 'me', until: 2, now: 1 }
const claim = { teamId: '', limit: 10, concurrency: 10, lease }

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-test-'))
  const store = open()
  await migrate(store)
  const { id } = await createTeam(store.query, { name: 'team', balance: null, now: 0 })
  claim.teamId = id
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const open = (): Store => sqliteDatabase<Tables>(join(folder, 'winnow.sqlite'))

type Run = (store: Store) => Promise<unknown>

// SQLite runs on the main thread. A query that reads the entire table of jobs would block all calls, longer as the
// table grows.
it.each<[string, Run]>([
  ['requeueJobs, by lease', (store) => requeueJobs(store, { leaseBefore: 1, attemptsBelow: 5 })],
  ['requeueJobs, of a holder', (store) => requeueJobs(store, { holder: 'me' })],
  ['requeueJobs, one of a holder', (store) => requeueJobs(store, { holder: 'me', id: 'job' })],
  ['findAbandoned', (store) => findAbandoned(store.query, 1)],
  ['teamsWaiting', (store) => listTeamsWithQueuedJobs(store.query)],
  ['findQueueHeads', (store) => findQueueHeads(store.query, 1)],
  ['claimForTeam', (store) => claimForTeam(store, claim)],
  ['claimSlotlessJobs', (store) => claimSlotlessJobs(store, claim)],
  ['renewLeases', (store) => renewLeases(store, ['job'], lease)],
  ['dropAllLeases', (store) => dropAllLeases(store.query)],
])('%s reads only the jobs that it concerns', async (_, run) => {
  const texts = await recordStatements(run)
  expect(texts.some((text) => text.includes('jobs'))).toBe(true)
  const plans = texts.flatMap(explainPlan).filter((step) => step.startsWith('SCAN jobs'))
  // An index of the jobs in one state contains no others.
  expect(plans.filter((step) => !/ USING (?:COVERING )?INDEX jobs_/.test(step))).toEqual([])
})

/** Returns the statements that a run prepares, with a store that has prepared none before. */
async function recordStatements(run: Run): Promise<string[]> {
  const { prepare } = DatabaseSync.prototype
  const texts: string[] = []
  const store = open()
  onTestFinished(async () => {
    DatabaseSync.prototype.prepare = prepare
    await store.close()
  })
  DatabaseSync.prototype.prepare = function (text: string) {
    texts.push(text)
    return prepare.call(this, text)
  }
  await run(store)
  return texts
}

function explainPlan(text: string): string[] {
  const database = new DatabaseSync(join(folder, 'winnow.sqlite'))
  try {
    const values = Array.from({ length: text.split('?').length - 1 }, () => null)
    const steps = database.prepare(`explain query plan ${text}`).all(...values)
    return steps.map(({ detail }) => String(detail))
  } finally {
    database.close()
  }
}

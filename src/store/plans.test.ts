import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { sqliteDatabase } from './database/sqlite.ts'
import { listDeliveries } from './deliveries.ts'
import { findRunningOfTeam, listSkipped } from './frontier.ts'
import { findLastSuccess, listActivity } from './jobs/activity.ts'
import { listCalls } from './jobs/child-jobs.ts'
import { countQueued, sumReservedCredits } from './jobs/jobs.ts'
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
import { countByKind, countTakenSlots, getBacklog, listBusiestTeams } from './jobs/queue-counts.ts'
import { countFreeForBackground, countRunning, hasFreeSlot } from './jobs/slots.ts'
import { migrate } from './migrate.ts'
import type { Store, Tables } from './schema.ts'
import { createTeam, listActiveCalls, listIdleDeletedTeams } from './teams.ts'

const lease = { holder: 'me', until: 2, now: 1 }
const claim = { teamId: '', limit: 10, concurrency: 10, lease, now: 1 }

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

it.each<[string, Run]>([
  ['countRunning', ({ query }) => countRunning(query, 'team', 1)],
  ['countQueued', ({ query }) => countQueued(query, 'team')],
  ['sumReservedCredits', ({ query }) => sumReservedCredits(query, 'team')],
  ['hasFreeSlot', ({ query }) => hasFreeSlot(query, { id: 'job', team_id: 'team' }, { limit: 1, now: 1 })],
  ['countFreeForBackground', ({ query }) => countFreeForBackground(query, claim)],
  ['countTakenSlots', ({ query }) => countTakenSlots(query, 1)],
  ['countByKind', ({ query }) => countByKind(query, 'running')],
  ['listBusiestTeams', ({ query }) => listBusiestTeams(query, { now: 1, limit: 1 })],
  ['getBacklog', ({ query }) => getBacklog(query)],
  ['findRunningOfTeam', ({ query }) => findRunningOfTeam(query, 'team', 'crawl')],
  ['listActiveCalls', ({ query }) => listActiveCalls(query, 'team', ['crawl'])],
  ['listIdleDeletedTeams', ({ query }) => listIdleDeletedTeams(query, 1)],
])('%s reads only active jobs', async (_, run) => {
  const steps = (await recordStatements(run)).flatMap(explainPlan)
  const jobSteps = steps.filter((step) => /^(?:SEARCH|SCAN) jobs /.test(step))
  expect(jobSteps).not.toEqual([])
  // The indexes of one state, and single rows by id. `jobs_by_team` and `jobs_calls` also contain ended jobs.
  const usesActive = / (?:jobs_(?:queued|running|held|callers|overdue) ?|sqlite_autoindex_jobs_1 )/
  expect(jobSteps.filter((step) => !usesActive.test(step.padEnd(step.length + 1)))).toEqual([])
})

it.each<[string, Run, RegExp]>([
  ['listActivity', ({ query }) => listActivity(query, { ...page, states: ['failed'] }), /jobs_calls/],
  ['listCalls', ({ query }) => listCalls(query, { ...page, kind: 'agent', before: 1 }), /jobs_calls/],
  ['listDeliveries', ({ query }) => listDeliveries(query, { ...page, ...noFilter }), /deliveries_by_team/],
  [
    'listDeliveries of a job',
    ({ query }) => listDeliveries(query, { ...page, ...noFilter, jobId: 'job' }),
    /deliveries_by_job/,
  ],
  [
    'listSkipped',
    ({ query }) =>
      listSkipped(query, { crawl: { job_id: 'job', rest_reason: 'x' }, reasons: ['x'], limit: 1 }),
    /frontier_in_turn/,
  ],
  [
    'findLastSuccess',
    ({ query }) => findLastSuccess(query, 'team'),
    /jobs_by_team|jobs_calls|autoindex|^S\w+ newest/,
  ],
])('%s reads rows in the order of an index', async (_, run, index) => {
  const steps = (await recordStatements(run)).flatMap(explainPlan)
  const reads = steps.filter((step) => /^(?:SEARCH|SCAN) /.test(step))
  expect(reads).not.toEqual([])
  expect(reads.filter((step) => !index.test(step))).toEqual([])
})

const page = { teamId: 'team', since: 0, limit: 1 }
const noFilter = { jobId: undefined, state: 'failed' as const, before: 'a' }

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

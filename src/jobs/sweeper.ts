import type { Clock } from '../platform/clock.ts'
import { repeat } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { nextTurn } from '../platform/time-slice.ts'
import { removeDeliveriesBefore } from '../store/deliveries.ts'
import { deleteBatchBelow, deleteBelow } from '../store/expired.ts'
import { removeCrawlsWithoutJob } from '../store/frontier.ts'
import { removeEndedBefore } from '../store/jobs/jobs.ts'
import { removePagesBefore } from '../store/pages.ts'
import type { Store } from '../store/schema.ts'
import { listIdleDeletedTeams, removeTeam, removeTeamRowBatch } from '../store/teams.ts'
import { reconcileBlobs } from './reconcile-blobs.ts'
import { type RemoveBlobsDeps, removeUnusedBlobs } from './remove-blobs.ts'

export interface SweepDeps extends SweepTeamDeps, RemoveBlobsDeps {
  log: Log
  retentionHours: number
  cacheDays: number
}

const intervalMs = 10 * 60_000
/** Retention of site files in days, which is the maximum age of a cached sitemap. */
const siteFileDays = 7
const dayMs = 24 * 3600_000
/** Retention of usage in days: the API returns a year of months, including the current one. */
const usageDays = 366

export function startSweeper(deps: SweepDeps): { stop(): void } {
  return repeat(() => sweep(deps), intervalMs, {
    failed: (cause) => deps.log.warn({ cause }, 'what has expired could not be removed'),
    skipped: () => deps.log.warn({}, 'removing what has expired takes longer than ten minutes'),
  })
}

export async function sweep(deps: SweepDeps): Promise<void> {
  for (const [name, step] of steps(deps)) {
    try {
      await step()
    } catch (cause) {
      deps.log.warn({ cause, step: name }, 'expired data could not be removed; the next sweep tries again')
    }
  }
}

function steps(deps: SweepDeps): [string, () => Promise<unknown>][] {
  const { query } = deps.store
  const now = deps.clock.now()
  const endedBefore = now - deps.retentionHours * 3600_000
  const today = Math.floor(now / dayMs)
  return [
    ['jobs', () => removeEndedJobs(deps.store, endedBefore)],
    // In a transaction, which is retried after a deadlock: a scrape that evicts pages changes the same counters.
    [
      'pages',
      () =>
        removeAll(() =>
          deps.store.transaction((transaction) =>
            removePagesBefore(transaction, now - deps.cacheDays * dayMs),
          ),
        ),
    ],
    ['files', () => removeAll(() => deleteBatchBelow(query, 'files.expires_at', now))],
    [
      'site files',
      () => removeAll(() => deleteBatchBelow(query, 'site_files.fetched_at', now - siteFileDays * dayMs)),
    ],
    ['deleted teams', () => sweepDeletedTeams(deps)],
    ['crawls', () => removeAll(() => removeCrawlsWithoutJob(query))],
    ['deliveries', () => removeDeliveriesBefore(query, endedBefore)],
    ['sessions', () => deleteBelow(query, 'sessions.ended_at', endedBefore)],
    // Feedback is given after its job has ended, so it is removed no earlier than the job.
    ['feedback', () => deleteBelow(query, 'feedback.created_at', endedBefore)],
    ['refunds', () => deleteBelow(query, 'refunds.day', today)],
    ['model usage', () => deleteBelow(query, 'model_usage.day', today - usageDays)],
    ['call days', () => deleteBelow(query, 'call_days.day', today - usageDays)],
    ['learned', () => removeAll(() => deleteBatchBelow(query, 'learned.used_at', now))],
    ['rate windows', () => deleteBelow(query, 'rates.minute', Math.floor(now / 60_000) - 1)],
    ['idempotency keys', () => deleteBelow(query, 'idempotency.created_at', endedBefore)],
    ['blobs without a row', () => reconcileBlobs(deps)],
    ['blobs', () => removeUnusedBlobs(deps)],
  ]
}

async function removeEndedJobs(store: Store, endedBefore: number): Promise<void> {
  let lastEndedAt: number | undefined
  await removeAll(async () => {
    const jobs = await store.transaction((transaction) =>
      removeEndedBefore(transaction, endedBefore, lastEndedAt),
    )
    if (jobs.length > 0) lastEndedAt = Math.max(...jobs.map(({ endedAt }) => endedAt))
    return jobs.length
  })
}

async function removeAll(removeBatch: () => Promise<number>): Promise<void> {
  while ((await removeBatch()) > 0) await nextTurn()
}

export interface SweepTeamDeps {
  store: Store
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  removeIndexedPages: (teamId: string) => Promise<void>
}

/** An ended call may still store a fetched page, which must be removed with its team. */
const lateWritesMs = 10 * 60_000

/** Rows are removed in batches, so that no delete blocks the store. The next sweep retries failed teams. */
export async function sweepDeletedTeams(deps: SweepTeamDeps): Promise<void> {
  const { store, clock, log, removeIndexedPages } = deps
  for (const id of await listIdleDeletedTeams(store.query, clock.now() - lateWritesMs)) {
    try {
      while (await removeTeamRowBatch(store.query, id)) await nextTurn()
      // Runs after the rows of pages that waited for indexing are removed.
      await removeIndexedPages(id)
      await removeTeam(store.query, id)
    } catch (cause) {
      log.warn({ cause, team: id }, 'a deleted team could not be removed; the next sweep tries again')
    }
  }
}

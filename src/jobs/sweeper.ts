import type { Clock } from '../platform/clock.ts'
import { repeat } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { nextTurn } from '../platform/time-slice.ts'
import { removeDeliveriesBefore } from '../store/deliveries.ts'
import { deleteBelow, removeLearnedBefore } from '../store/expired.ts'
import { removeFilesBefore } from '../store/files.ts'
import { removeCrawlsWithoutJob } from '../store/frontier.ts'
import { removeEndedBefore } from '../store/jobs/jobs.ts'
import { removePagesBefore } from '../store/pages.ts'
import type { Store } from '../store/schema.ts'
import { removeSiteFilesBefore } from '../store/site-files.ts'
import { listIdleDeletedTeams, removeSomeOfTeam, removeTeam } from '../store/teams.ts'
import { reconcileBlobs } from './reconcile-blobs.ts'
import { type RemoveBlobsDeps, removeUnusedBlobs } from './remove-blobs.ts'

export interface SweepDeps extends SweepTeamDeps, RemoveBlobsDeps {
  log: Log
  retentionHours: number
  cacheDays: number
}

const between = 10 * 60_000
/** Sitemaps are used for so long, and nothing of a site for longer. */
const siteFileDays = 7
const day = 24 * 3600_000
/** A year of months is shown, the current one included. */
const usageDays = 366

/**
 * Removes what has outlived its time: deleted teams, job results, feedback on them, kept pages, rate windows, idempotency keys.
 */
export function startSweeper(deps: SweepDeps): { stop(): void } {
  return repeat(() => sweep(deps), between, {
    failed: (cause) => deps.log.warn({ cause }, 'what has expired could not be removed'),
    skipped: () => deps.log.warn({}, 'removing what has expired takes longer than ten minutes'),
  })
}

/** Runs every step, also after another one has failed. */
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
  const ended = now - deps.retentionHours * 3600_000
  const today = Math.floor(now / day)
  return [
    ['jobs', () => removeEndedJobs(deps.store, ended)],
    // In a transaction, which is repeated after a deadlock: both this and a scrape that evicts pages change the counts of teams.
    [
      'pages',
      () =>
        removeAll(() =>
          deps.store.transaction((transaction) => removePagesBefore(transaction, now - deps.cacheDays * day)),
        ),
    ],
    ['files', () => removeAll(() => removeFilesBefore(query, now))],
    ['site files', () => removeAll(() => removeSiteFilesBefore(query, now - siteFileDays * day))],
    ['deleted teams', () => sweepDeletedTeams(deps)],
    ['crawls', () => removeAll(() => removeCrawlsWithoutJob(query))],
    ['deliveries', () => removeDeliveriesBefore(query, ended)],
    ['sessions', () => deleteBelow(query, 'sessions.ended_at', ended)],
    // Feedback comes after the end of its job, so it goes no earlier than the job.
    ['feedback', () => deleteBelow(query, 'feedback.created_at', ended)],
    ['refunds', () => deleteBelow(query, 'refunds.day', today)],
    ['model usage', () => deleteBelow(query, 'model_usage.day', today - usageDays)],
    ['call days', () => deleteBelow(query, 'call_days.day', today - usageDays)],
    ['learned', () => removeAll(() => removeLearnedBefore(query, now))],
    ['rate windows', () => deleteBelow(query, 'rates.minute', Math.floor(now / 60_000) - 1)],
    ['idempotency keys', () => deleteBelow(query, 'idempotency.created_at', ended)],
    ['blobs without a row', () => reconcileBlobs(deps)],
    ['blobs', () => removeUnusedBlobs(deps)],
  ]
}

async function removeEndedJobs(store: Store, ended: number): Promise<void> {
  let reached: number | undefined
  await removeAll(async () => {
    const jobs = await store.transaction((transaction) => removeEndedBefore(transaction, ended, reached))
    if (jobs.length > 0) reached = Math.max(...jobs.map(({ endedAt }) => endedAt))
    return jobs.length
  })
}

/** Some at a time until none is left, so that no delete holds the store for long. */
async function removeAll(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0) await nextTurn()
}

export interface SweepTeamDeps {
  store: Store
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  /** Removes the pages of a team from the search index. */
  forgetPages: (teamId: string) => Promise<void>
}

/** A call that has ended may still write what it fetched; nothing of that shall outlive its team. */
const lateWritesMs = 10 * 60_000

/**
 * Removes the rows of deleted teams, once nothing of theirs runs: some at a time, so that no delete holds the store. Their
 * blobs are noted with each row. A failure for one team does not stop the others; the next sweep tries it again.
 */
export async function sweepDeletedTeams(deps: SweepTeamDeps): Promise<void> {
  const { store, clock, log } = deps
  for (const id of await listIdleDeletedTeams(store.query, clock.now() - lateWritesMs)) {
    try {
      await sweepTeam(deps, id)
    } catch (cause) {
      log.warn({ cause, team: id }, 'a deleted team could not be removed; the next sweep tries again')
    }
  }
}

async function sweepTeam({ store, forgetPages }: SweepTeamDeps, id: string): Promise<void> {
  while (await removeSomeOfTeam(store.query, id)) await nextTurn()
  // After the pages that waited to be indexed.
  await forgetPages(id)
  await removeTeam(store.query, id)
}

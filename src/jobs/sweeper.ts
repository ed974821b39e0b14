import type { Log } from '../base/log.ts'
import { nextTurn } from '../base/next-turn.ts'
import { forgetCallDays } from '../store/daily-usage.ts'
import { removeDeliveriesBefore } from '../store/deliveries.ts'
import { forgetRefunds, removeFeedbackBefore } from '../store/feedback.ts'
import { removeFilesBefore } from '../store/files.ts'
import { removeCrawlsWithoutJob } from '../store/frontier.ts'
import { forgetIdempotencyKeys } from '../store/idempotency.ts'
import { removeEndedBefore } from '../store/jobs.ts'
import { removeLearnedBefore } from '../store/learned.ts'
import { forgetModelUsage } from '../store/model-usage.ts'
import { removePagesBefore } from '../store/pages.ts'
import { forgetWindows } from '../store/rates.ts'
import type { Store } from '../store/schema.ts'
import { removeSessionsBefore } from '../store/sessions.ts'
import { removeSiteFilesBefore } from '../store/site-files.ts'
import { reconcileBlobs } from './reconcile-blobs.ts'
import { type RemoveBlobsNeeds, removeUnusedBlobs } from './remove-blobs.ts'
import { type SweepTeamNeeds, sweepDeletedTeams } from './sweep-teams.ts'

export interface SweepNeeds extends SweepTeamNeeds, RemoveBlobsNeeds {
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
 * One sweep at a time: a second would only be in the way of the first.
 */
export function startSweeper(needs: SweepNeeds): { stop(): void } {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return needs.log.warn({}, 'removing what has expired takes longer than ten minutes')
    isBusy = true
    try {
      await sweep(needs)
    } catch (cause) {
      needs.log.warn({ cause }, 'what has expired could not be removed')
    } finally {
      isBusy = false
    }
  }, between)
  return { stop: () => clearInterval(timer) }
}

/** Runs every step, also after another one has failed. */
export async function sweep(needs: SweepNeeds): Promise<void> {
  for (const [name, step] of steps(needs)) {
    try {
      await step()
    } catch (cause) {
      needs.log.warn({ cause, step: name }, 'expired data could not be removed; the next sweep tries again')
    }
  }
}

function steps(needs: SweepNeeds): [string, () => Promise<unknown>][] {
  const { query } = needs.store
  const now = needs.clock.now()
  const ended = now - needs.retentionHours * 3600_000
  const today = Math.floor(now / day)
  return [
    ['jobs', () => removeEndedJobs(needs.store, ended)],
    // In a transaction, which is repeated after a deadlock: both this and a scrape that evicts pages change the counts of teams.
    [
      'pages',
      () =>
        removeAll(() =>
          needs.store.transaction((transaction) =>
            removePagesBefore(transaction, now - needs.cacheDays * day),
          ),
        ),
    ],
    ['files', () => removeAll(() => removeFilesBefore(query, now))],
    ['site files', () => removeAll(() => removeSiteFilesBefore(query, now - siteFileDays * day))],
    ['deleted teams', () => sweepDeletedTeams(needs)],
    ['crawls', () => removeAll(() => removeCrawlsWithoutJob(query))],
    ['deliveries', () => removeDeliveriesBefore(query, ended)],
    ['sessions', () => removeSessionsBefore(query, ended)],
    ['feedback', () => removeFeedbackBefore(query, ended)],
    ['refunds', () => forgetRefunds(query, today)],
    ['model usage', () => forgetModelUsage(query, today - usageDays)],
    ['call days', () => forgetCallDays(query, today - usageDays)],
    ['learned', () => removeAll(() => removeLearnedBefore(query, now))],
    ['rate windows', () => forgetWindows(query, Math.floor(now / 60_000) - 1)],
    ['idempotency keys', () => forgetIdempotencyKeys(query, ended)],
    ['blobs without a row', () => reconcileBlobs(needs)],
    ['blobs', () => removeUnusedBlobs(needs)],
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

import type { Log } from '../base/log.ts'
import type { Blobs } from '../ports/blobs.ts'
import { forgetCallDays } from '../store/daily-usage.ts'
import { removeDeliveriesBefore } from '../store/deliveries.ts'
import { forgetRefunds, removeFeedbackBefore } from '../store/feedback.ts'
import { removeFilesBefore } from '../store/files.ts'
import { removeCrawlsWithoutJob } from '../store/frontier.ts'
import { forgetIdempotencyKeys } from '../store/idempotency.ts'
import { removeEndedBefore } from '../store/jobs.ts'
import { forgetLearned } from '../store/learned.ts'
import { forgetModelUsage } from '../store/model-usage.ts'
import { removePagesBefore } from '../store/pages.ts'
import { forgetWindows } from '../store/rates.ts'
import { removeSessionsBefore } from '../store/sessions.ts'
import { removeSiteFilesBefore } from '../store/site-files.ts'
import { type SweepTeamNeeds, sweepDeletedTeams } from './sweep-teams.ts'

export interface SweepNeeds extends SweepTeamNeeds {
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
/** What was learned of a site is forgotten when it was not used for so long. */
const learnedDays = 180

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

export async function sweep(needs: SweepNeeds): Promise<void> {
  const { query } = needs.store
  const now = needs.clock.now()
  const ended = now - needs.retentionHours * 3600_000
  let reached: number | undefined
  await removeAll(needs.blobs, async () => {
    const jobs = await needs.store.transaction((transaction) =>
      removeEndedBefore(transaction, ended, reached),
    )
    if (jobs.length > 0) reached = Math.max(...jobs.map(({ endedAt }) => endedAt))
    return jobs.map((job) => job.blob)
  })
  // In a transaction, which is repeated after a deadlock: both this and a scrape that evicts pages change the counts of teams.
  await removeAll(needs.blobs, () =>
    needs.store.transaction((transaction) => removePagesBefore(transaction, now - needs.cacheDays * day)),
  )
  await removeAll(needs.blobs, () => removeFilesBefore(query, now))
  await removeAll(needs.blobs, () => removeSiteFilesBefore(query, now - siteFileDays * day))
  await sweepDeletedTeams(needs)
  while ((await removeCrawlsWithoutJob(query)) > 0) await Promise.resolve()
  await removeDeliveriesBefore(query, ended)
  await removeSessionsBefore(query, ended)
  await removeFeedbackBefore(query, ended)
  await forgetRefunds(query, Math.floor(now / day))
  await forgetModelUsage(query, Math.floor(now / day) - usageDays)
  await forgetCallDays(query, Math.floor(now / day) - usageDays)
  await forgetLearned(query, now - learnedDays * day)
  await forgetWindows(query, Math.floor(now / 60_000) - 1)
  await forgetIdempotencyKeys(query, ended)
}

/** Some at a time until none is left, so that no delete holds the store for long. */
async function removeAll(blobs: Blobs, removeSome: () => Promise<(string | null)[]>): Promise<void> {
  for (let found = await removeSome(); found.length > 0; found = await removeSome()) {
    for (const blob of found) if (blob !== null) await blobs.delete(blob)
  }
}

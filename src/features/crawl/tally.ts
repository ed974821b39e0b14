import { z } from 'zod'
import { type CrawlRow, changeCrawl, countSkipped, countWaiting } from '../../store/frontier.ts'
import { countChildren, countFailedWith } from '../../store/parent-jobs.ts'
import type { Store } from '../../store/schema.ts'
import { storedJson } from '../../store/stored-json.ts'
import { leftOutCodes } from './left-out.ts'
import { storedOptions } from './options.ts'

/** How every address of a crawl ended, as its status and its errors tell it. */
export interface CrawlTally {
  completed: number
  failed: number
  cancelled: number
  living: number
  waiting: number
  /** By reason. */
  skipped: Record<string, number>
}

export async function tallyCrawl(
  { store }: { store: Store },
  crawl: CrawlRow,
  { hasEnded }: { hasEnded: boolean },
): Promise<CrawlTally> {
  const { query } = store
  const { completed, failed, cancelled, queued, running } = await countChildren(query, crawl.job_id)
  const codes = leftOutCodes(storedOptions.read(crawl.options))
  const leftOut = failed === 0 ? new Map() : await countFailedWith(query, crawl.job_id, [...codes.keys()])
  const skipped = { ...(await skippedOf(store, crawl, hasEnded)) }
  for (const [code, reason] of codes) {
    const count = leftOut.get(code) ?? 0
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  return {
    completed,
    failed: failed - [...leftOut.values()].reduce((sum, count) => sum + count, 0),
    cancelled,
    living: queued + running,
    waiting: crawl.rest_reason === null ? await countWaiting(query, crawl.job_id, crawl.known) : 0,
    skipped,
  }
}

/** By reason; as they stand when the crawl has ended. */
const storedCounts = storedJson({ table: 'crawls', column: 'skipped' }, z.record(z.string(), z.number()))

/** What was skipped in the frontier never changes after the end, so it is counted once. */
async function skippedOf(store: Store, crawl: CrawlRow, hasEnded: boolean): Promise<Record<string, number>> {
  if (crawl.skipped !== null) return storedCounts.read(crawl.skipped)
  const counts = await countSkipped(store.query, crawl)
  if (hasEnded) await changeCrawl(store.query, crawl.job_id, { skipped: storedCounts.write(counts) })
  return counts
}

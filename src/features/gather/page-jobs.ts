import { countAffordable } from '../../accounts/billing.ts'
import { childOf } from '../../jobs/job.ts'
import { insertJobs, type JobRow } from '../../store/jobs.ts'
import { countLiving } from '../../store/parent-jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import type { ScrapeRequest } from '../scrape/schema.ts'

/** Pages that a job wants to be read. */
export interface PageOrders {
  pages: ScrapeRequest[]
  /** The most that one of them can cost. */
  price: number
  /** So many may be queued or running at once; the others are held. */
  mostLiving: number
}

/** The pages as jobs, as many as the team can pay for. Call it in a transaction that holds the lock of the parent. */
export async function insertPages(
  store: Store,
  transaction: Queryable,
  parent: JobRow,
  { pages, price, mostLiving, now }: PageOrders & { now: number },
): Promise<void> {
  const free = mostLiving - (await countLiving(transaction, parent.id))
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price })
  const rows = pages.slice(0, affordable).map(
    (page, index): JobRow => ({
      ...childOf(parent, now),
      kind: 'scrape',
      state: index < free ? 'queued' : 'held',
      takes_slot: 1,
      input: JSON.stringify({ ...page, isGathered: true }),
      target: page.url,
      credits: price,
    }),
  )
  await insertJobs(transaction, rows)
}

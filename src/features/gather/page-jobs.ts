import { countAffordable } from '../../accounts/billing.ts'
import { taskPrice } from '../../accounts/prices.ts'
import { childOf } from '../../jobs/job.ts'
import { insertJobs, type JobRow } from '../../store/jobs.ts'
import { countLiving } from '../../store/parent-jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { type ScrapeRequest, taskOf } from '../scrape/schema.ts'

/** A page that a job wants to be read, and the id that its own job will have. */
interface PageOrder {
  id: string
  request: ScrapeRequest
}

export interface PageOrders {
  pages: PageOrder[]
  /** The most that one of them can cost, without a task. */
  price: number
  /** At most this many may be queued or running at once; the others are held. */
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
  const most = Math.max(0, ...pages.map(({ request }) => priceOf(request, price)))
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price: most })
  const rows = pages.slice(0, affordable).map(
    ({ id, request }, index): JobRow => ({
      ...childOf(parent, now),
      id,
      kind: 'scrape',
      state: index < free ? 'queued' : 'held',
      takes_slot: 1,
      input: JSON.stringify(request),
      target: request.url,
      credits: priceOf(request, price),
    }),
  )
  await insertJobs(transaction, rows)
}

const priceOf = (request: ScrapeRequest, price: number) =>
  price + (taskOf(request) === undefined ? 0 : taskPrice)

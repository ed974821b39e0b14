import { countAffordable } from '../../accounts/billing.ts'
import type { EndedChild } from '../../jobs/finish-parent.ts'
import { createChildRow, type RunningJob } from '../../jobs/job.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  addToFrontier,
  type CrawlRow,
  changeCrawl,
  type DiscoveredUrl,
  dropSkipped,
  type FrontierRow,
  findCrawl,
  listNextInFrontier,
  markTaken,
} from '../../store/frontier.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import { countActiveLeaves } from '../../store/jobs/parents.ts'
import { lockParent } from '../../store/locks.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import type { SkipReason } from '../discover/scope.ts'
import { addWarnings } from './crawl-summary.ts'
import { type CrawlStep, crawlStartKind, pageInput, startInput } from './job-inputs.ts'
import { type CachedCrawl, type CrawlOptions, storedOptions } from './options.ts'

export interface CrawlPageNote {
  found: DiscoveredUrl[]
  notes: string[]
}

export interface CrawlChanges extends CrawlPageNote {
  failed: number
}

export const noCrawlChanges: CrawlChanges = { found: [], notes: [], failed: 0 }

/** An endless site must not fill the store. */
export const maxFrontierSize = (limit: number) => 100_000 + 10 * limit

/** Failed pages are replaced by others, so a site on which all pages fail needs a limit. */
export const maxTries = (limit: number) => 2 * limit + 100

/** Call it in a transaction that holds the lock of the crawl, because pages are taken up to its limits. */
export async function advanceCrawl(
  store: Store,
  transaction: Queryable,
  changes: CrawlChanges & { parent: JobRow; now: number },
): Promise<void> {
  const { parent } = changes
  const crawl = await findCrawl(transaction, parent.id)
  if (!crawl || parent.state !== 'running') return
  const options = storedOptions.read(crawl.options)
  const maxSize = maxFrontierSize(options.limit)
  const accepted = changes.found.slice(0, Math.max(0, maxSize - crawl.known))
  const known = crawl.known + (await addToFrontier(transaction, parent.id, accepted))
  const remaining = crawl.room + changes.failed
  const tooMany = `The site names more than ${maxSize} addresses; further ones were not looked at.`
  const newNotes = accepted.length < changes.found.length ? [...changes.notes, tooMany] : changes.notes
  const notes = addWarnings(crawl.notes, newNotes)
  const context = { parent, crawl: { ...crawl, room: remaining }, options, now: changes.now }
  const taken = await takePages(store, transaction, context)
  const [room, tries] = [remaining - taken, crawl.tries - taken]
  await changeCrawl(transaction, parent.id, { known, notes, room, tries })
}

const maxUrlsPerTransaction = 100

/**
 * Adds URLs in separate transactions, so that the transaction that ends the page does not grow with the page.
 * Returns the URLs that are left for that transaction.
 */
export async function addToFrontierEarly(
  store: Store,
  context: {
    job: Pick<RunningJob<unknown>, 'parentId' | 'yieldToForeground'>
    crawl: Pick<CachedCrawl, 'options' | 'isFull'>
  },
  found: DiscoveredUrl[],
): Promise<DiscoveredUrl[]> {
  const { job, crawl } = context
  const crawlId = job.parentId ?? ''
  const maxSize = maxFrontierSize(crawl.options.limit)
  let start = 0
  const addNextUrls = async (transaction: Queryable): Promise<boolean> => {
    const parent = await lockParent(store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (!row || parent?.state !== 'running') return false
    crawl.isFull = row.known >= maxSize
    if (crawl.isFull) return false
    const added = await addToFrontier(transaction, crawlId, found.slice(start, start + maxUrlsPerTransaction))
    await changeCrawl(transaction, crawlId, { known: row.known + added })
    return true
  }
  for (; found.length - start > maxUrlsPerTransaction; start += maxUrlsPerTransaction) {
    // Return one URL: the transaction that ends the page then adds a warning if the frontier is full.
    if (!(await store.transaction(addNextUrls, { durable: false }))) return found.slice(-1)
    await job.yieldToForeground()
  }
  return found.slice(start)
}

interface TakeContext {
  parent: JobRow
  crawl: CrawlRow
  options: CrawlOptions
  now: number
}

async function takePages(store: Store, transaction: Queryable, context: TakeContext): Promise<number> {
  const { crawl, parent } = context
  const activeCount = await countActiveLeaves(transaction, parent.id)
  const maxPages = Math.min(crawl.most_living - activeCount, crawl.room, crawl.tries)
  if (maxPages <= 0 || context.now >= parent.deadline_at) return 0
  const rows = await listNextInFrontier(transaction, parent.id, maxPages)
  if (rows.length === 0) return 0
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price: crawl.price })
  const taken = rows.slice(0, affordable).map((row) => ({ row, job: createPageJob(row, context) }))
  const jobs = taken.map(({ job }) => job)
  await insertJobs(transaction, jobs)
  for (const { row, job } of taken)
    await markTaken(transaction, parent.id, { urlKey: row.url_key, jobId: job.id })
  return taken.length
}

function createPageJob(
  row: FrontierRow,
  { parent, crawl: { delay, known, price }, options, now }: TakeContext,
): JobRow {
  const crawl: CrawlStep = {
    depth: row.depth,
    isExternal: row.external === 1,
    notBefore: delay === 0 || known === 0 ? 0 : now + delay,
    ...(options.home === undefined ? {} : { home: options.home }),
    ...(row.modified_at === null ? {} : { modifiedAt: row.modified_at }),
  }
  return {
    ...createChildRow(parent, now),
    kind: 'scrape',
    takes_slot: 1,
    input: pageInput.write({ ...options.scrapeOptions, url: row.url, zeroDataRetention: false, crawl }),
    target: row.url,
    credits: price,
  }
}

export function toCrawlChanges(ended: EndedChild[]): CrawlChanges {
  // Only pages of crawls create this note.
  const notes = ended.flatMap(({ note }) => (note as CrawlPageNote | undefined) ?? [])
  return {
    found: notes.flatMap(({ found }) => found),
    notes: notes.flatMap((note) => note.notes),
    failed: ended.filter(({ row, ending }) => row.takes_slot === 1 && ending.state !== 'completed').length,
  }
}

/** Skip reasons that depend on the base host. They may no longer apply after that host changes. */
const hostSkipReasons: SkipReason[] = [
  'other site',
  'other subdomain',
  'outside the start path',
  'home page of another site',
]

/** Rows that were skipped because of the old host are deleted, so that the new start job can add them. */
export async function moveCrawlHost(
  { store, clock }: { store: Store; clock: Clock },
  crawlId: string,
  newBase: URL,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const parent = await lockParent(store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (!row || parent?.state !== 'running') return
    const options = storedOptions.read(row.options)
    if (options.home !== undefined) return
    const dropped = await dropSkipped(transaction, crawlId, hostSkipReasons)
    const movedOptions = storedOptions.write({ ...options, home: newBase.href })
    await changeCrawl(transaction, crawlId, { options: movedOptions, known: row.known - dropped })
    const input = startInput.write({ home: newBase.href })
    await insertJobs(transaction, [{ ...createChildRow(parent, clock.now()), kind: crawlStartKind, input }])
  })
  store.notify('queued', '')
}

export async function findCrawlHost(query: Queryable, crawlId: string): Promise<string | undefined> {
  const row = await findCrawl(query, crawlId)
  return row && storedOptions.read(row.options).home
}

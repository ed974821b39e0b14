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
  markTaken,
  nextInFrontier,
} from '../../store/frontier.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import { countActiveLeaves } from '../../store/jobs/parents.ts'
import { lockParent } from '../../store/locks.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import type { SkipReason } from '../discover/scope.ts'
import { addWarnings } from './crawl-summary.ts'
import { type CrawlStep, crawlStartKind, pageInput, startInput } from './job-inputs.ts'
import { type CachedCrawl, type CrawlOptions, storedOptions } from './options.ts'

/** What a page of a crawl tells the crawl when it ends. */
export interface CrawlWarning {
  found: DiscoveredUrl[]
  /** What the caller should know. */
  notes: string[]
}

/** What has happened since a crawl was last moved on. */
export interface CrawlChanges extends CrawlWarning {
  /** Pages that did not complete: others may take their place. */
  failed: number
}

export const noCrawlChanges: CrawlChanges = { found: [], notes: [], failed: 0 }

/** Addresses that are kept per crawl, so that a site without end does not fill the store. */
export const maxFrontierSize = (limit: number) => 100_000 + 10 * limit

/** Pages that failed make room for others, but a site on which everything fails is left after this many. */
export const maxTries = (limit: number) => 2 * limit + 100

/**
 * Moves a crawl on after some of its pages ended or addresses were found: adds what is new to the frontier and takes as
 * many pages from it as may live. Call it in a transaction that holds the lock of the crawl's job.
 */
export async function advanceCrawl(
  store: Store,
  transaction: Queryable,
  news: CrawlChanges & { parent: JobRow; now: number },
): Promise<void> {
  const { parent } = news
  const crawl = await findCrawl(transaction, parent.id)
  if (!crawl || parent.state !== 'running') return
  const options = storedOptions.read(crawl.options)
  const most = maxFrontierSize(options.limit)
  const fitting = news.found.slice(0, Math.max(0, most - crawl.known))
  const known = crawl.known + (await addToFrontier(transaction, parent.id, fitting))
  const room = crawl.room + news.failed
  const tooMany = `The site names more than ${most} addresses; further ones were not looked at.`
  const told = fitting.length < news.found.length ? [...news.notes, tooMany] : news.notes
  const notes = addWarnings(crawl.notes, told)
  const taken = await take(store, transaction, { parent, crawl: { ...crawl, room }, options, now: news.now })
  await changeCrawl(transaction, parent.id, { known, notes, room: room - taken, tries: crawl.tries - taken })
}

/** What one transaction adds to a frontier. */
const mostTogether = 100

/**
 * Adds what a page found to the frontier ahead of the page's end, in transactions of their own: the one that ends a page
 * must not grow with the page. What is left for that is answered. Addresses that are added and whose page then does not end
 * do no harm: it is scraped again, and names them again.
 */
export async function addToFrontierEarly(
  store: Store,
  {
    job,
    crawl,
  }: {
    job: Pick<RunningJob<unknown>, 'parentId' | 'giveWay'>
    crawl: Pick<CachedCrawl, 'options' | 'isFull'>
  },
  found: DiscoveredUrl[],
): Promise<DiscoveredUrl[]> {
  const crawlId = job.parentId ?? ''
  const most = maxFrontierSize(crawl.options.limit)
  let start = 0
  const addSome = async (transaction: Queryable): Promise<boolean> => {
    const parent = await lockParent(store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (!row || parent?.state !== 'running') return false
    crawl.isFull = row.known >= most
    if (crawl.isFull) return false
    const added = await addToFrontier(transaction, crawlId, found.slice(start, start + mostTogether))
    await changeCrawl(transaction, crawlId, { known: row.known + added })
    return true
  }
  for (; found.length - start > mostTogether; start += mostTogether) {
    // The end says that there is no room for more, if that is why.
    if (!(await store.transaction(addSome, { durable: false }))) return found.slice(-1)
    await job.giveWay()
  }
  return found.slice(start)
}

interface Taking {
  parent: JobRow
  crawl: CrawlRow
  options: CrawlOptions
  now: number
}

async function take(store: Store, transaction: Queryable, taking: Taking): Promise<number> {
  const { crawl, parent } = taking
  const living = await countActiveLeaves(transaction, parent.id)
  const most = Math.min(crawl.most_living - living, crawl.room, crawl.tries)
  if (most <= 0 || taking.now >= parent.deadline_at) return 0
  const rows = await nextInFrontier(transaction, parent.id, most)
  if (rows.length === 0) return 0
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price: crawl.price })
  const jobs = rows.slice(0, affordable).map((row) => ({ row, job: jobOf(row, taking) }))
  await insertJobs(
    transaction,
    jobs.map(({ job }) => job),
  )
  for (const { row, job } of jobs) {
    await markTaken(transaction, parent.id, { urlKey: row.url_key, jobId: job.id })
  }
  return jobs.length
}

function jobOf(row: FrontierRow, { parent, crawl: { delay, known, price }, options, now }: Taking): JobRow {
  const crawl: CrawlStep = {
    depth: row.depth,
    isExternal: row.external === 1,
    // The first page has nobody to keep a distance from.
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

/** What ended, as far as a crawl is concerned. */
export function toCrawlChanges(ended: EndedChild[]): CrawlChanges {
  const pages = ended.filter(({ row }) => row.takes_slot === 1)
  // Made by the page of a crawl alone.
  const notes = ended.flatMap(({ note }) => (note as CrawlWarning | undefined) ?? [])
  return {
    found: notes.flatMap(({ found }) => found),
    notes: notes.flatMap((note) => note.notes),
    failed: pages.filter(({ ending }) => ending.state !== 'completed').length,
  }
}

/** Addresses that were left out for these reasons may belong to the crawl where it is at home now. */
const byPlace: SkipReason[] = [
  'other site',
  'other subdomain',
  'outside the start path',
  'home page of another site',
]

/**
 * Says that a crawl is at home elsewhere, because its start leads there: what was left out for its place is forgotten, and
 * robots.txt and sitemaps of the new home are looked at by a start job of their own. A start that is read again changes
 * nothing more.
 */
export async function moveCrawlHost(
  { store, clock }: { store: Store; clock: Clock },
  crawlId: string,
  home: URL,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const parent = await lockParent(store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (!row || parent?.state !== 'running') return
    const options = storedOptions.read(row.options)
    if (options.home !== undefined) return
    const dropped = await dropSkipped(transaction, crawlId, byPlace)
    const moved = storedOptions.write({ ...options, home: home.href })
    await changeCrawl(transaction, crawlId, { options: moved, known: row.known - dropped })
    const input = startInput.write({ home: home.href })
    await insertJobs(transaction, [{ ...createChildRow(parent, clock.now()), kind: crawlStartKind, input }])
  })
  store.notify('queued', '')
}

/** Where a crawl has moved to, as the store knows it. */
export async function findCrawlHost(query: Queryable, crawlId: string): Promise<string | undefined> {
  const row = await findCrawl(query, crawlId)
  return row && storedOptions.read(row.options).home
}

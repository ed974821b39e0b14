import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import { changeCrawl, countWaiting, type DiscoveredUrl, findCrawl } from '../../store/frontier.ts'
import { lockParent } from '../../store/locks.ts'
import {
  createRobotsCheck,
  readSiteRobots,
  robotsExhausted,
  type SiteRobots,
} from '../discover/robots-files.ts'
import type { SiteFiles } from '../discover/site-files.ts'
import {
  llmsLinks,
  readSitemaps,
  type SitemapDeps,
  type SitemapsRead,
  sevenDays,
  usualSitemaps,
} from '../discover/sitemaps.ts'
import type { Deps } from '../needs.ts'
import { advanceCrawl, findCrawlHost, maxTries, noCrawlChanges } from './advance.ts'
import { addWarnings } from './crawl-summary.ts'
import type { CrawlStartInput } from './job-inputs.ts'
import { type CachedCrawl, type CrawlCache, crawlBaseUrl } from './options.ts'
import { rowFor } from './page.ts'

export interface CrawlStartDeps extends Pick<Deps, 'store' | 'clock'> {
  files: SiteFiles
  crawls: CrawlCache
}

const timeout = 10 * 60_000
/** A site that asks for more than this between two pages gets this. */
const longestDelay = 30_000

/** The start job of a crawl: what robots.txt asks for, and the pages that sitemaps name. */
export async function runCrawlStart(
  deps: CrawlStartDeps,
  job: RunningJob<CrawlStartInput>,
  signal: AbortSignal,
): Promise<Outcome<object>> {
  const crawlId = job.parentId ?? ''
  const crawl = await deps.crawls(crawlId, job.input.home)
  const time = AbortSignal.timeout(timeout)
  const within = AbortSignal.any([signal, time])
  const { origin } = crawlBaseUrl(crawl.options)
  const site = await readSiteRobots(deps.files, job.teamId, { origin, signal: within })
  const start: StartJob = { deps, crawlId, crawl, site, origin, wanted: 0, trace: job.trace, signal: within }
  noteRobots(start)
  await obeyDelay(start)
  if (crawl.options.sitemap === 'skip') return { credits: 0, result: {} }
  try {
    await readNamed(start, { files: deps.files, teamId: job.teamId, maxAge: sevenDays, signal: within })
  } catch (thrown) {
    if (!time.aborted || signal.aborted) throw thrown
    await addNote(start, 'The sitemaps took longer than ten minutes to read; the rest of them was left out.')
  }
  return { credits: 0, result: {} }
}

interface StartJob {
  deps: CrawlStartDeps
  crawlId: string
  crawl: CachedCrawl
  site: SiteRobots
  origin: string
  /** Pages that were named and are to be scraped. */
  wanted: number
  trace: Trace
  signal: AbortSignal
}

function noteRobots({ crawl, site, trace }: StartJob): void {
  const { ignoreRobotsTxt } = crawl.options
  const message = site.trouble === undefined ? {} : { message: site.trouble }
  trace.note({ step: 'robots', result: ignoreRobotsTxt ? 'ignored' : 'allowed', ...message })
}

async function readNamed(start: StartJob, from: SitemapDeps): Promise<void> {
  const { site, origin, crawl } = start
  const told = site.robots.sitemaps.flatMap((text) => URL.parse(text, origin)?.href ?? [])
  const starts = [...told, ...usualSitemaps(origin)]
  const read = await readSitemaps(from, starts, (entries) => addAll(start, entries))
  const [message] = read.notes
  start.trace.note({
    ...{ step: 'sitemaps', mode: crawl.options.sitemap, files: read.files, found: read.pages },
    ...(message === undefined ? {} : { message }),
  })
  for (const note of read.notes.slice(0, 5)) await addNote(start, note)
  if (crawl.options.sitemap === 'include') await addAll(start, await llmsLinks(from, origin))
  // The start job of a crawl that has moved leaves this to the other one; and there the start has been taken.
  else if (start.wanted === 0 && crawl.options.home === undefined) await takeStart(start, read)
}

/** A crawl by sitemaps that name nothing to scrape is one of the page that was named by the caller. */
async function takeStart(start: StartJob, { files }: SitemapsRead): Promise<void> {
  await addAll(start, [{ kind: 'page', url: start.crawl.options.url }])
  const lack =
    files === 0 ? 'has no sitemap that could be read' : 'names no page of this crawl in its sitemaps'
  const end = start.wanted > 0 ? 'only the start was taken' : 'there was nothing to crawl'
  await addNote(start, `The site ${lack}, so ${end}.`)
}

/** False: there is enough to do for all the pages that the crawl may scrape, or it is at home elsewhere by now. */
async function addAll(start: StartJob, entries: SitemapEntry[]): Promise<boolean> {
  const { deps, crawlId, crawl, site, origin } = start
  const { options } = crawl
  const rules = options.ignoreRobotsTxt ? undefined : await site.robots.rulesFor(options.robotsUserAgent)
  const robots = createRobotsCheck(rules, start.signal)
  const found: DiscoveredUrl[] = []
  for (const { url: text, modifiedAt } of entries) {
    const row = rowFor(text, crawl, 0)
    if (!row) continue
    const url = new URL(row.url)
    const isJudged = row.skipReason === undefined && url.origin === origin
    const isBlocked = isJudged && !(await robots.allows(url.pathname + url.search))
    found.push({ ...row, modifiedAt, ...(isBlocked && { skipReason: 'robots.txt' as const }) })
  }
  if (robots.isExhausted()) start.trace.note({ step: 'robots', result: 'denied', message: robotsExhausted })
  start.wanted += found.filter((row) => row.skipReason === undefined).length
  const isRunning = await deps.store.transaction(async (transaction) => {
    const parent = await lockParent(deps.store, transaction, crawlId)
    if (parent?.state !== 'running') return false
    // Where the start has led elsewhere since, that place has a start job of its own, and this one judges by the wrong place.
    if ((await findCrawlHost(transaction, crawlId)) !== options.home) return false
    await advanceCrawl(deps.store, transaction, { parent, ...noCrawlChanges, found, now: deps.clock.now() })
    return true
  })
  deps.store.notify('queued', '')
  if (!isRunning) return false
  const most = maxTries(options.limit)
  const isEnough = (await countWaiting(deps.store.query, crawlId, most)) >= most
  if (isEnough) {
    await addNote(start, 'Sitemaps name more pages than the limit; the rest of them was not read.')
  }
  return !isEnough
}

async function obeyDelay(start: StartJob): Promise<void> {
  const { site } = start
  const { options } = start.crawl
  if (options.ignoreRobotsTxt) return
  if (site.trouble !== undefined) {
    await addNote(
      start,
      `${site.trouble}, so by the standard nothing may be crawled; ignoreRobotsTxt goes on without it.`,
    )
  }
  const { crawlDelay: asked } = await site.robots.rulesFor(options.robotsUserAgent)
  if (options.delay !== undefined || asked === undefined || asked === 0) return
  const delay = Math.min(Math.round(asked * 1000), longestDelay)
  const note = `robots.txt asks for ${asked} s between two pages, so one is scraped at a time.`
  await addNote(start, note, { delay, most_living: 1 })
}

async function addNote(
  { deps, crawlId }: StartJob,
  note: string,
  change: Parameters<typeof changeCrawl>[2] = {},
): Promise<void> {
  await deps.store.transaction(async (transaction) => {
    await lockParent(deps.store, transaction, crawlId)
    const row = await findCrawl(transaction, crawlId)
    if (row) await changeCrawl(transaction, crawlId, { ...change, notes: addWarnings(row.notes, [note]) })
  })
}

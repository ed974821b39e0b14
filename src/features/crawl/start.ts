import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
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
  listSitemaps,
  llmsLinks,
  readSitemaps,
  type SitemapsRead,
  sevenDays,
  traceSitemaps,
} from '../discover/sitemaps.ts'
import type { Deps } from '../needs.ts'
import { advanceCrawl, findCrawlHost, maxTries, noCrawlChanges } from './advance.ts'
import { addWarnings } from './crawl-summary.ts'
import type { CrawlStartInput } from './job-inputs.ts'
import { type CachedCrawl, type CrawlCache, crawlBaseUrl } from './options.ts'
import { createFrontierRow } from './page.ts'

export interface CrawlStartDeps extends Pick<Deps, 'store' | 'clock'> {
  files: SiteFiles
  crawls: CrawlCache
}

const timeoutMs = 10 * 60_000
const maxDelayMs = 30_000

export async function runCrawlStart(
  deps: CrawlStartDeps,
  job: RunningJob<CrawlStartInput>,
  signal: AbortSignal,
): Promise<Outcome<object>> {
  const crawlId = job.parentId ?? ''
  const crawl = await deps.crawls(crawlId, job.input.home)
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const combinedSignal = AbortSignal.any([signal, timeoutSignal])
  const { origin } = crawlBaseUrl(crawl.options)
  const site = await readSiteRobots(deps.files, job.teamId, { origin, signal: combinedSignal })
  const start: StartJob = {
    ...{ deps, job, crawlId, crawl, site, origin, listedCount: 0, signal: combinedSignal },
  }
  const result = crawl.options.ignoreRobotsTxt ? 'ignored' : 'allowed'
  job.trace.note({ step: 'robots', result, message: site.problem })
  await applyCrawlDelay(start)
  if (crawl.options.sitemap === 'skip') return { credits: 0, result: {} }
  try {
    await addListedPages(start)
  } catch (thrown) {
    if (!timeoutSignal.aborted || signal.aborted) throw thrown
    const warning = 'The sitemaps took longer than ten minutes to read; the rest of them was left out.'
    await addWarning(start, warning)
  }
  return { credits: 0, result: {} }
}

interface StartJob {
  deps: CrawlStartDeps
  job: RunningJob<CrawlStartInput>
  crawlId: string
  crawl: CachedCrawl
  site: SiteRobots
  origin: string
  listedCount: number
  signal: AbortSignal
}

async function addListedPages(start: StartJob): Promise<void> {
  const { site, origin, signal } = start
  const { teamId, trace } = start.job
  const { sitemap, home } = start.crawl.options
  const sitemapDeps = { files: start.deps.files, teamId, maxAge: sevenDays, signal }
  const sitemapUrls = listSitemaps([{ ...site, origin }])
  const sitemapResult = await readSitemaps(sitemapDeps, sitemapUrls, (entries) => addEntries(start, entries))
  traceSitemaps(trace, sitemap, sitemapResult)
  for (const note of sitemapResult.notes.slice(0, 5)) await addWarning(start, note)
  if (sitemap === 'include') await addEntries(start, await llmsLinks(sitemapDeps, origin))
  // Not after a move: the start job of the new host runs after the start page was scraped.
  else if (start.listedCount === 0 && home === undefined) await addStartUrl(start, sitemapResult)
}

async function addStartUrl(start: StartJob, { files }: SitemapsRead): Promise<void> {
  await addEntries(start, [{ kind: 'page', url: start.crawl.options.url }])
  const problem =
    files === 0 ? 'has no sitemap that could be read' : 'names no page of this crawl in its sitemaps'
  const end = start.listedCount > 0 ? 'only the start was taken' : 'there was nothing to crawl'
  await addWarning(start, `The site ${problem}, so ${end}.`)
}

/** Returns false if the frontier contains enough pages for the limit, or if the crawl has ended or moved. */
async function addEntries(start: StartJob, entries: SitemapEntry[]): Promise<boolean> {
  const { deps, crawlId, crawl, site, origin } = start
  const { options } = crawl
  const rules = options.ignoreRobotsTxt ? undefined : await site.robots.rulesFor(options.robotsUserAgent)
  const robots = createRobotsCheck(rules, start.signal)
  const found: DiscoveredUrl[] = []
  for (const { url: text, modifiedAt } of entries) {
    const row = createFrontierRow(text, crawl, 0)
    if (!row) continue
    const url = new URL(row.url)
    const needsRobotsCheck = row.skipReason === undefined && url.origin === origin
    const isBlocked = needsRobotsCheck && !(await robots.allows(url.pathname + url.search))
    found.push({ ...row, modifiedAt, ...(isBlocked && { skipReason: 'robots.txt' as const }) })
  }
  if (robots.isExhausted())
    start.job.trace.note({ step: 'robots', result: 'denied', message: robotsExhausted })
  start.listedCount += found.filter((row) => row.skipReason === undefined).length
  const isRunning = await deps.store.transaction(async (transaction) => {
    const parent = await lockParent(deps.store, transaction, crawlId)
    if (parent?.state !== 'running') return false
    // After a move, this job has the wrong scope, and the new host has its own start job.
    if ((await findCrawlHost(transaction, crawlId)) !== options.home) return false
    await advanceCrawl(deps.store, transaction, { parent, ...noCrawlChanges, found, now: deps.clock.now() })
    return true
  })
  deps.store.notify('queued', '')
  if (!isRunning) return false
  const maxWaiting = maxTries(options.limit)
  if ((await countWaiting(deps.store.query, crawlId, maxWaiting)) < maxWaiting) return true
  await addWarning(start, 'Sitemaps name more pages than the limit; the rest of them was not read.')
  return false
}

async function applyCrawlDelay(start: StartJob): Promise<void> {
  const { site } = start
  const { options } = start.crawl
  if (options.ignoreRobotsTxt) return
  if (site.problem !== undefined) {
    const note = `${site.problem}, so by the standard nothing may be crawled; ignoreRobotsTxt goes on without it.`
    await addWarning(start, note)
  }
  const { crawlDelay: delaySeconds } = await site.robots.rulesFor(options.robotsUserAgent)
  if (options.delay !== undefined || delaySeconds === undefined || delaySeconds === 0) return
  const delay = Math.min(Math.round(delaySeconds * 1000), maxDelayMs)
  const note = `robots.txt asks for ${delaySeconds} s between two pages, so one is scraped at a time.`
  await addWarning(start, note, { delay, most_living: 1 })
}

async function addWarning(
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

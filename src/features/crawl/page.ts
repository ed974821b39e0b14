import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { RobotsRules } from '../../content/site/robots.ts'
import type { PageLinks } from '../../extraction/page-parts/page-links.ts'
import type { PageParts } from '../../extraction/page-parts/parts.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import { claimAlias, type DiscoveredUrl } from '../../store/frontier.ts'
import { createRobotsCheck, type RobotsCache, robotsExhausted } from '../discover/robots-files.ts'
import { redirectedBase } from '../discover/scope.ts'
import { cleanUrl } from '../discover/url-key.ts'
import type { Deps } from '../needs.ts'
import type { Document, ScrapeRequest } from '../scrape/schema.ts'
import { addToFrontierEarly, type CrawlPageNote, findCrawlHost, moveCrawlHost } from './advance.ts'
import type { CrawlPageRequest, CrawlStep } from './job-inputs.ts'
import { type CachedCrawl, type CrawlCache, frontierKey, frontierKeyUrl } from './options.ts'

export interface CrawlPageDeps extends Pick<Deps, 'store' | 'clock'> {
  robots: RobotsCache
  crawls: CrawlCache
  scrape: (
    job: RunningJob<ScrapeRequest>,
    signal: AbortSignal,
    siteContext: { site: SiteBlocks | undefined; modifiedAt: number | undefined },
  ) => Promise<{ outcome: Outcome<Document>; read?: { page: Page; parts: PageParts } }>
}

export async function crawlPage(
  deps: CrawlPageDeps,
  job: RunningJob<CrawlPageRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  const crawlId = job.parentId ?? ''
  const { crawl: step, ...request } = job.input
  const crawl = await deps.crawls(crawlId, step.home)
  const rules = await getRobotsRules(deps, { ...job, url: new URL(request.url) }, crawl)
  const waitMs = step.notBefore - deps.clock.now()
  if (waitMs > 0) await deps.clock.sleep(waitMs, signal)
  const isStartSkipped = crawl.options.startLeftOut !== undefined && isStart(job, crawl)
  const input = isStartSkipped ? { ...request, formats: [] } : request
  // Pages of other sites do not repeat texts of this site.
  const keepsRepeatedContent = !crawl.options.removeRepeatedContent || step.isExternal
  const site = keepsRepeatedContent ? undefined : crawl.site
  const siteContext = { site, modifiedAt: step.modifiedAt }
  const { outcome, read: scraped } = await deps.scrape({ ...job, input }, signal, siteContext)
  if (!scraped) return outcome
  const pageRead = { page: scraped.page, links: scraped.parts.follow() }
  if ('error' in outcome) {
    const found = await addLinks(deps, pageRead, { job, step, crawl, rules, signal })
    return { ...outcome, note: { found, notes: [] } satisfies CrawlPageNote }
  }
  const movedCrawl = await resolveBaseHost(deps, { job, crawl, read: pageRead })
  const found = await addLinks(deps, pageRead, { job, step, crawl: movedCrawl, rules, signal })
  if (isStartSkipped) return endSkippedStart(pageRead, movedCrawl, found)
  const { problem, notes } = await findProblem(deps, { job, crawl: movedCrawl, read: pageRead })
  const note: CrawlPageNote = { found, notes }
  return problem ? { credits: 0, error: problem, note } : { ...outcome, note }
}

function endSkippedStart({ page }: PageRead, crawl: CachedCrawl, found: DiscoveredUrl[]): Outcome<Document> {
  const finalRow = createFrontierRow(page.url, crawl, 0)
  const notes = redirectNotes(crawl, { finalUrl: new URL(page.url), isOutside: false })
  const note: CrawlPageNote = { found: finalRow ? [finalRow, ...found] : found, notes }
  return { credits: 0, error: new AppError('CRAWL_START_LEFT_OUT'), note }
}

/** Returns the crawl with the host that the start redirects to. Another process may have scraped the start. */
async function resolveBaseHost(
  deps: CrawlPageDeps,
  { job, crawl, read }: { job: RunningJob<CrawlPageRequest>; crawl: CachedCrawl; read: PageRead },
): Promise<CachedCrawl> {
  const crawlId = job.parentId ?? ''
  const finalUrl = new URL(read.page.url)
  if (isStart(job, crawl)) {
    const base = redirectedBase(new URL(crawl.options.url), finalUrl)
    if (!base) return crawl
    await moveCrawlHost(deps, crawlId, base)
    return deps.crawls(crawlId, base.href)
  }
  const isOutOfScope = crawl.options.home === undefined && !crawl.scope(finalUrl).belongs
  const base = isOutOfScope ? await findCrawlHost(deps.store.query, crawlId) : undefined
  return base === undefined ? crawl : deps.crawls(crawlId, base)
}

function isStart(job: RunningJob<CrawlPageRequest>, { options }: CachedCrawl): boolean {
  const toKey = (text: string) => frontierKey(cleanUrl(new URL(text)), options)
  return toKey(job.input.url) === toKey(options.url)
}

async function addLinks(deps: CrawlPageDeps, read: PageRead, context: LinkContext): Promise<DiscoveredUrl[]> {
  const { job, step, crawl } = context
  if (!canFollowLinks(step, crawl)) return []
  const rules = await getFinalHostRules(deps, read, context)
  return addToFrontierEarly(deps.store, { job, crawl }, await findLinks(read, { ...context, rules }))
}

async function getFinalHostRules(
  deps: CrawlPageDeps,
  { page }: PageRead,
  { job, crawl, rules }: LinkContext,
): Promise<RobotsRules | undefined> {
  const { origin } = new URL(page.url)
  if (rules === undefined || origin === new URL(job.input.url).origin) return rules
  const { robots } = await deps.robots(job.teamId, origin)
  return robots.rulesFor(crawl.options.robotsUserAgent)
}

async function getRobotsRules(
  deps: CrawlPageDeps,
  { teamId, url, trace }: { teamId: string; url: URL; trace: Trace },
  { options }: CachedCrawl,
): Promise<RobotsRules | undefined> {
  if (options.ignoreRobotsTxt) return undefined
  const { robots, problem, unreachableError } = await deps.robots(teamId, url.origin)
  if (unreachableError) throw unreachableError
  const rules = await robots.rulesFor(options.robotsUserAgent)
  const isAllowed = rules.allows(url.pathname + url.search)
  trace.note({ step: 'robots', result: isAllowed ? 'allowed' : 'denied', message: problem })
  if (isAllowed) return rules
  const message =
    problem &&
    `${problem}, so by the standard nothing may be crawled. ignoreRobotsTxt: true goes on without it.`
  throw new AppError('CRAWL_DENIAL', { phase: 'robots.txt' }, message === undefined ? {} : { message })
}

function canFollowLinks(step: CrawlStep, { options, isFull }: CachedCrawl): boolean {
  const maxDepth = options.maxDiscoveryDepth ?? Number.POSITIVE_INFINITY
  return !isFull && !step.isExternal && step.depth < maxDepth && options.sitemap !== 'only'
}

interface PageRead {
  page: Page
  links: PageLinks
}

interface LinkContext {
  job: RunningJob<CrawlPageRequest>
  step: CrawlStep
  crawl: CachedCrawl
  rules: RobotsRules | undefined
  signal: AbortSignal
}

const urlsPerTurn = 100

async function findLinks(
  { page, links: { next, links } }: PageRead,
  { job, step, crawl, rules, signal }: LinkContext,
): Promise<DiscoveredUrl[]> {
  const origin = new URL(page.url).origin
  const robots = createRobotsCheck(rules, signal)
  const found = new Map<string, DiscoveredUrl>()
  const urls = next === undefined ? links : [next, ...links]
  for (const [index, text] of urls.entries()) {
    if (index % urlsPerTurn === urlsPerTurn - 1) await job.yieldToForeground()
    const row = createFrontierRow(text, crawl, step.depth + 1)
    if (!row || found.has(row.urlKey)) continue
    const url = new URL(row.url)
    // Other hosts have their own robots.txt, which is read when their pages are scraped.
    const needsRobotsCheck = row.skipReason === undefined && url.origin === origin
    const isBlocked = needsRobotsCheck && !(await robots.allows(url.pathname + url.search))
    found.set(row.urlKey, isBlocked ? { ...row, skipReason: 'robots.txt' } : row)
  }
  if (robots.isExhausted()) job.trace.note({ step: 'robots', result: 'denied', message: robotsExhausted })
  return [...found.values()]
}

export function createFrontierRow(
  text: string,
  crawl: Pick<CachedCrawl, 'options' | 'scope'>,
  depth: number,
): DiscoveredUrl | undefined {
  const parsed = URL.parse(text)
  if (!parsed) return undefined
  const url = cleanUrl(parsed)
  const decision = crawl.scope(url)
  return {
    urlKey: frontierKey(url, crawl.options),
    url: url.href,
    depth,
    isExternal: decision.belongs && decision.isExternal,
    skipReason: decision.belongs ? undefined : decision.reason,
  }
}

async function findProblem(
  deps: CrawlPageDeps,
  { job, crawl, read }: Pick<LinkContext, 'job' | 'crawl'> & { read: PageRead },
): Promise<{ problem?: AppError; notes: string[] }> {
  const { page, links } = read
  const requestedKey = frontierKey(cleanUrl(new URL(job.input.url)), crawl.options)
  const finalUrl = cleanUrl(new URL(page.url))
  const isRedirected = frontierKey(finalUrl, crawl.options) !== requestedKey
  const isOutside = isRedirected && !crawl.scope(finalUrl).belongs
  if (isOutside && !isStart(job, crawl)) {
    const message = `The page redirects to ${finalUrl.href}, which does not belong to this crawl.`
    return { problem: new AppError('CRAWL_OUT_OF_SCOPE', { url: finalUrl.href }, { message }), notes: [] }
  }
  for (const { urlKey, url } of getAllKeys({ links, finalUrl }, crawl)) {
    if (urlKey === requestedKey) continue
    const alias = { urlKey, url: url.href, jobId: job.id }
    if (!(await claimAlias(deps.store.query, job.parentId ?? '', alias))) {
      return { problem: new AppError('SCRAPE_RACED_REDIRECT_ERROR', { url: url.href }), notes: [] }
    }
  }
  return { notes: isStart(job, crawl) ? redirectNotes(crawl, { finalUrl, isOutside }) : [] }
}

function getAllKeys({ links, finalUrl }: { links: PageLinks; finalUrl: URL }, { options }: CachedCrawl) {
  const canonical = getCanonicalUrl(links, finalUrl)
  const urls = canonical ? [finalUrl, canonical] : [finalUrl]
  const keys = urls.map((url) => ({ urlKey: frontierKey(url, options), url }))
  const { shown } = links
  return shown === undefined ? keys : [...keys, { urlKey: frontierKeyUrl(finalUrl, shown), url: finalUrl }]
}

function redirectNotes(
  { options }: CachedCrawl,
  { finalUrl, isOutside }: { finalUrl: URL; isOutside: boolean },
): string[] {
  if (options.home !== undefined)
    return [`The start redirects to ${finalUrl.href}, so the crawl went on there.`]
  return isOutside
    ? [`The start redirects to ${finalUrl.href}; start the crawl there to follow its links.`]
    : []
}

/** Accepts only another query: many sites name their home page, or page one of a list, on every page. */
function getCanonicalUrl({ canonical }: PageLinks, url: URL): URL | undefined {
  if (url.search === '' || /=\d+(?:&|$)/.test(url.search)) return undefined
  const canonicalUrl = URL.parse(canonical ?? '')
  return canonicalUrl && canonicalUrl.origin === url.origin && canonicalUrl.pathname === url.pathname
    ? canonicalUrl
    : undefined
}

export function isCrawlPage(
  job: RunningJob<ScrapeRequest | CrawlPageRequest>,
): job is RunningJob<CrawlPageRequest> {
  return 'crawl' in job.input
}

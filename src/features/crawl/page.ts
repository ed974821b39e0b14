import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { RobotsRules } from '../../content/site/robots.ts'
import type { PageLinks } from '../../extraction/page-parts/page-links.ts'
import type { PageParts } from '../../extraction/page-parts/parts.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import { claimAlias, type DiscoveredUrl } from '../../store/frontier.ts'
import { createRobotsCheck, type RobotsMemory, robotsExhausted } from '../discover/robots-files.ts'
import { redirectedBase } from '../discover/scope.ts'
import { cleanUrl } from '../discover/url-key.ts'
import type { Deps } from '../needs.ts'
import type { Document, ScrapeRequest } from '../scrape/schema.ts'
import { addToFrontierEarly, type CrawlWarning, findCrawlHost, moveCrawlHost } from './advance.ts'
import type { CrawlPageRequest, CrawlStep } from './job-inputs.ts'
import { type CachedCrawl, type CrawlCache, frontierKey, frontierKeyUrl } from './options.ts'

export interface CrawlPageDeps extends Pick<Deps, 'store' | 'clock'> {
  robots: RobotsMemory
  crawls: CrawlCache
  scrape: (
    job: RunningJob<ScrapeRequest>,
    signal: AbortSignal,
    among: { site: SiteBlocks | undefined; modifiedAt: number | undefined },
  ) => Promise<{ outcome: Outcome<Document>; read?: { page: Page; parts: PageParts } }>
}

/** One page of a crawl: scraped like any other, and asked where its links lead. */
export async function crawlPage(
  deps: CrawlPageDeps,
  job: RunningJob<CrawlPageRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  const crawlId = job.parentId ?? ''
  const { crawl: step, ...request } = job.input
  const crawl = await deps.crawls(crawlId, step.home)
  const rules = await rulesFor(deps, { ...job, url: new URL(request.url) }, crawl)
  const wait = step.notBefore - deps.clock.now()
  if (wait > 0) await deps.clock.sleep(wait, signal)
  const isLeftOut = crawl.options.startLeftOut !== undefined && isStart(job, crawl)
  const input = isLeftOut ? { ...request, formats: [] } : request
  // Pages of other sites share no texts with this one.
  const isReadAlone = !crawl.options.removeRepeatedContent || step.isExternal
  const site = isReadAlone ? undefined : crawl.site
  const { outcome, read: came } = await deps.scrape({ ...job, input }, signal, {
    ...{ site, modifiedAt: step.modifiedAt },
  })
  if (!came) return outcome
  const read = { page: came.page, leads: came.parts.follow() }
  if ('error' in outcome) {
    const found = await follow(deps, read, { job, step, crawl, rules, signal })
    return { ...outcome, note: { found, notes: [] } satisfies CrawlWarning }
  }
  const home = await atHome(deps, { job, crawl, read })
  const found = await follow(deps, read, { job, step, crawl: home, rules, signal })
  if (isLeftOut) return leftOut(read, home, found)
  const { problem, notes } = await standing(deps, { job, crawl: home, read })
  const note: CrawlWarning = { found, notes }
  return problem ? { credits: 0, error: problem, note } : { ...outcome, note }
}

/** The end of a start that was read for its links alone. Where it leads to another page, that one may be wanted. */
function leftOut({ page }: Read, crawl: CachedCrawl, found: DiscoveredUrl[]): Outcome<Document> {
  const landed = rowFor(page.url, crawl, 0)
  const notes = redirectNotes(crawl, { landed: new URL(page.url), isOutside: false })
  const note: CrawlWarning = { found: landed ? [landed, ...found] : found, notes }
  return { credits: 0, error: new AppError('CRAWL_START_LEFT_OUT'), note }
}

/** The crawl as it is known once its start was read: of the site that it leads to. Another process may have read it. */
async function atHome(
  deps: CrawlPageDeps,
  { job, crawl, read }: { job: RunningJob<CrawlPageRequest>; crawl: CachedCrawl; read: Read },
): Promise<CachedCrawl> {
  const crawlId = job.parentId ?? ''
  const landed = new URL(read.page.url)
  if (isStart(job, crawl)) {
    const home = redirectedBase(new URL(crawl.options.url), landed)
    if (!home) return crawl
    await moveCrawlHost(deps, crawlId, home)
    return deps.crawls(crawlId, home.href)
  }
  const isLost = crawl.options.home === undefined && !crawl.scope(landed).belongs
  const home = isLost ? await findCrawlHost(deps.store.query, crawlId) : undefined
  return home === undefined ? crawl : deps.crawls(crawlId, home)
}

function isStart(job: RunningJob<CrawlPageRequest>, { options }: CachedCrawl): boolean {
  const keyOf = (text: string) => frontierKey(cleanUrl(new URL(text)), options)
  return keyOf(job.input.url) === keyOf(options.url)
}

/** What a page names, as far as it is not in the frontier yet. */
async function follow(deps: CrawlPageDeps, read: Read, finding: Finding): Promise<DiscoveredUrl[]> {
  const { job, step, crawl } = finding
  if (!isExpanded(step, crawl)) return []
  const rules = await rulesWhereRead(deps, read, finding)
  return addToFrontierEarly(deps.store, { job, crawl }, await foundOn(read, { ...finding, rules }))
}

/** A page that leads to another host names pages of that one, which has rules of its own. */
async function rulesWhereRead(
  deps: CrawlPageDeps,
  { page }: Read,
  { job, crawl, rules }: Finding,
): Promise<RobotsRules | undefined> {
  const { origin } = new URL(page.url)
  if (rules === undefined || origin === new URL(job.input.url).origin) return rules
  const { robots } = await deps.robots(job.teamId, origin)
  return robots.rulesFor(crawl.options.robotsUserAgent)
}

/** The rules of the site of a page; fails where they forbid the page. */
async function rulesFor(
  deps: CrawlPageDeps,
  { teamId, url, trace }: { teamId: string; url: URL; trace: Trace },
  { options }: CachedCrawl,
): Promise<RobotsRules | undefined> {
  if (options.ignoreRobotsTxt) return undefined
  const { robots, trouble, dead } = await deps.robots(teamId, url.origin)
  if (dead) throw dead
  const rules = await robots.rulesFor(options.robotsUserAgent)
  const isAllowed = rules.allows(pathOf(url))
  trace.note({
    ...{ step: 'robots', result: isAllowed ? 'allowed' : 'denied' },
    ...(trouble === undefined ? {} : { message: trouble }),
  })
  if (isAllowed) return rules
  const message =
    trouble &&
    `${trouble}, so by the standard nothing may be crawled. ignoreRobotsTxt: true goes on without it.`
  throw new AppError('CRAWL_DENIAL', { phase: 'robots.txt' }, message === undefined ? {} : { message })
}

function isExpanded(step: CrawlStep, { options, isFull }: CachedCrawl): boolean {
  const deepest = options.maxDiscoveryDepth ?? Number.POSITIVE_INFINITY
  return !isFull && !step.isExternal && step.depth < deepest && options.sitemap !== 'only'
}

interface Read {
  page: Page
  leads: PageLinks
}

interface Finding {
  job: RunningJob<CrawlPageRequest>
  step: CrawlStep
  crawl: CachedCrawl
  rules: RobotsRules | undefined
  signal: AbortSignal
}

/** This many addresses are looked at between two turns of the loop. */
const atOnce = 100

/** The addresses a page names, each with what becomes of it. */
async function foundOn(
  { page, leads: { next, links } }: Read,
  { job, step, crawl, rules, signal }: Finding,
): Promise<DiscoveredUrl[]> {
  const origin = new URL(page.url).origin
  const robots = createRobotsCheck(rules, signal)
  const found = new Map<string, DiscoveredUrl>()
  const addresses = next === undefined ? links : [next, ...links]
  for (const [index, text] of addresses.entries()) {
    if (index % atOnce === atOnce - 1) await job.giveWay()
    const row = rowFor(text, crawl, step.depth + 1)
    if (!row || found.has(row.urlKey)) continue
    const url = new URL(row.url)
    // Other hosts have rules of their own, which are asked for when it is their turn.
    const isJudged = row.skipReason === undefined && url.origin === origin
    const isBlocked = isJudged && !(await robots.allows(pathOf(url)))
    found.set(row.urlKey, isBlocked ? { ...row, skipReason: 'robots.txt' } : row)
  }
  if (robots.isExhausted()) job.trace.note({ step: 'robots', result: 'denied', message: robotsExhausted })
  return [...found.values()]
}

/** What becomes of an address that was found. */
export function rowFor(
  text: string,
  crawl: Pick<CachedCrawl, 'options' | 'scope'>,
  depth: number,
): DiscoveredUrl | undefined {
  const parsed = URL.parse(text)
  if (!parsed) return undefined
  const url = cleanUrl(parsed)
  const judged = crawl.scope(url)
  return {
    urlKey: frontierKey(url, crawl.options),
    url: url.href,
    depth,
    isExternal: judged.belongs && judged.isExternal,
    skipReason: judged.belongs ? undefined : judged.reason,
  }
}

/** Why a page that came does not count after all: it led elsewhere, or it is one that the crawl has already. */
async function standing(
  deps: CrawlPageDeps,
  { job, crawl, read }: Pick<Finding, 'job' | 'crawl'> & { read: Read },
): Promise<{ problem?: AppError; notes: string[] }> {
  const { page, leads } = read
  const asked = frontierKey(cleanUrl(new URL(job.input.url)), crawl.options)
  const landed = cleanUrl(new URL(page.url))
  const isMoved = frontierKey(landed, crawl.options) !== asked
  const isOutside = isMoved && !crawl.scope(landed).belongs
  if (isOutside && !isStart(job, crawl)) {
    const message = `The page redirects to ${landed.href}, which does not belong to this crawl.`
    return { problem: new AppError('CRAWL_OUT_OF_SCOPE', { url: landed.href }, { message }), notes: [] }
  }
  for (const { urlKey, url } of otherKeys({ leads, landed }, crawl)) {
    if (urlKey === asked) continue
    const alias = { urlKey, url: url.href, jobId: job.id }
    if (!(await claimAlias(deps.store.query, job.parentId ?? '', alias))) {
      return { problem: new AppError('SCRAPE_RACED_REDIRECT_ERROR', { url: url.href }), notes: [] }
    }
  }
  return { notes: isStart(job, crawl) ? redirectNotes(crawl, { landed, isOutside }) : [] }
}

/** What else a page is known by: where it was found, what it calls itself, and what it shows. */
function otherKeys(
  { leads, landed }: { leads: PageLinks; landed: URL },
  { options }: CachedCrawl,
): { urlKey: string; url: URL }[] {
  const canonical = canonicalOf(leads, landed)
  const urls = canonical ? [landed, canonical] : [landed]
  const keys = urls.map((url) => ({ urlKey: frontierKey(url, options), url }))
  const { shown } = leads
  return shown === undefined ? keys : [...keys, { urlKey: frontierKeyUrl(landed, shown), url: landed }]
}

function redirectNotes(
  { options }: CachedCrawl,
  { landed, isOutside }: { landed: URL; isOutside: boolean },
): string[] {
  if (options.home !== undefined)
    return [`The start redirects to ${landed.href}, so the crawl went on there.`]
  return isOutside
    ? [`The start redirects to ${landed.href}; start the crawl there to follow its links.`]
    : []
}

/**
 * The address that a page wants to be known by, where it differs in its query alone. Elsewhere that is not to be
 * trusted: many sites name their home page on every page, or the first page of a list on all of them.
 */
function canonicalOf({ canonical }: PageLinks, url: URL): URL | undefined {
  if (url.search === '' || /=\d+(?:&|$)/.test(url.search)) return undefined
  const named = URL.parse(canonical ?? '')
  return named && named.origin === url.origin && named.pathname === url.pathname ? named : undefined
}

function pathOf(url: URL): string {
  return url.pathname + url.search
}

/** Pages of crawls are scrapes that also tell what they found. */
export function isCrawlPage(
  job: RunningJob<ScrapeRequest | CrawlPageRequest>,
): job is RunningJob<CrawlPageRequest> {
  return 'crawl' in job.input
}

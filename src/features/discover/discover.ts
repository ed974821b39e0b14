import type { Trace } from '../../platform/trace/trace.ts'
import { type FollowResult, followLinks, type ReadLinks } from './follow-links.ts'
import { createPageList, type Discovered, type ListRules, type PageList } from './page-list.ts'
import { ownAgent, readSiteRobots, type SiteRobots } from './robots-files.ts'
import { createScope, redirectedBase, type ScopeOptions } from './scope.ts'
import type { SiteFiles } from './site-files.ts'
import {
  listSitemaps,
  llmsLinks,
  readSitemaps,
  type SitemapDeps,
  sevenDays,
  traceSitemaps,
} from './sitemaps.ts'

export interface DiscoverDeps {
  files: SiteFiles
  readLinks: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
}

export interface DiscoverRequest extends Omit<ListRules, 'scope'> {
  teamId: string
  start: URL
  scope: ScopeOptions
  sitemap: 'skip' | 'include' | 'only'
  /** Maximum time for sitemaps if links are followed as well. */
  sitemapMs: number
  ignoreCache?: boolean
  maxPages: number
  trace?: Trace
}

const maxConcurrentPages = 8

/** Lists the pages named by sitemaps, feeds, llms.txt and links. Sitemaps do not limit the followed links. */
export async function discover(deps: DiscoverDeps, request: DiscoverRequest, signal: AbortSignal) {
  const { start } = request
  const stopStart = new AbortController()
  const startPage: Promise<StartPage> = deps
    .readLinks(start, AbortSignal.any([signal, stopStart.signal]))
    .then((page) => ({ page }))
    .catch((problem: unknown) => ({ problem }))
  const search = await createSearch({ deps, request, signal }, { start, base: start })
  if (request.sitemap !== 'skip') await addSitemapPages(search)
  // If the sitemaps list pages of the requested site, the start page need not be read for a redirect.
  if (request.sitemap === 'only' && search.list.size() > 1) {
    stopStart.abort()
    return getResult(search)
  }
  const startResult = await startPage
  const finalUrl = startResult.page === undefined ? start : new URL(startResult.page.url)
  const base = redirectedBase(start, finalUrl)
  const finalSearch = base ? await searchRedirected(search, { start: finalUrl, base }) : search
  if (request.sitemap !== 'only' && !finalSearch.list.hasReachedFollowLimit())
    await addLinkedPages(finalSearch, startResult)
  return getResult(finalSearch)
}

function getResult({ list, notes }: Search): Discovered {
  const result = list.result()
  return { ...result, notes: [...notes, ...result.notes] }
}

interface StartPage {
  page?: ReadLinks | undefined
  problem?: unknown
}

interface Search {
  deps: DiscoverDeps
  request: DiscoverRequest
  signal: AbortSignal
  start: URL
  sites: [{ origin: string } & SiteRobots, ...({ origin: string } & SiteRobots)[]]
  list: PageList
  notes: string[]
}

async function createSearch(
  { deps, request, signal }: Pick<Search, 'deps' | 'request' | 'signal'>,
  { start, base }: { start: URL; base: URL },
): Promise<Search> {
  const { origin } = base
  const site = await readSiteRobots(deps.files, request.teamId, { ...request, origin, signal })
  const list = createPageList({ ...request, scope: createScope(base, request.scope) })
  list.add({ url: start.href, source: 'start' })
  return { deps, request, signal, start, sites: [{ origin, ...site }], list, notes: [] }
}

async function searchRedirected(search: Search, target: { start: URL; base: URL }): Promise<Search> {
  const { sites, notes, ...created } = await createSearch(search, target)
  const newSearch: Search = {
    ...created,
    sites: [sites[0], ...search.sites],
    notes: [...notes, `The start redirects to ${target.start.href}, so that site is listed.`],
  }
  if (search.request.sitemap !== 'skip') await addSitemapPages(newSearch)
  return newSearch
}

async function addSitemapPages({ deps, request, signal, sites, list, notes }: Search): Promise<void> {
  const isOnlySitemaps = request.sitemap === 'only'
  const timeoutSignal = AbortSignal.timeout(request.sitemapMs)
  const combinedSignal = isOnlySitemaps ? signal : AbortSignal.any([signal, timeoutSignal])
  const files = getSitemapDeps({ deps, request }, combinedSignal)
  const sitemapResult = await untilAborted(combinedSignal, () =>
    readSitemaps(files, listSitemaps(sites), async (entries) => list.addAll(entries, 'sitemap')),
  )
  traceSitemaps(request.trace, request.sitemap, sitemapResult)
  notes.push(...(sitemapResult?.notes ?? []).slice(0, 5))
  if (isOnlySitemaps) {
    if (sitemapResult?.pages === 0) notes.push('The site has no readable sitemap.')
    return
  }
  const [{ origin }] = sites
  list.addAll((await untilAborted(combinedSignal, () => llmsLinks(files, origin))) ?? [], 'llms.txt')
  if (timeoutSignal.aborted && !signal.aborted)
    notes.push('Reading the sitemaps took half of the time; the rest of them was skipped.')
}

const getSitemapDeps = (
  { deps: { files }, request: { teamId, ignoreCache } }: Pick<Search, 'deps' | 'request'>,
  signal: AbortSignal,
): SitemapDeps => ({ files, teamId, maxAge: ignoreCache ? 0 : sevenDays, signal })

async function addLinkedPages(search: Search, startResult: StartPage): Promise<void> {
  const { deps, request, signal, start, list, notes } = search
  const [site] = search.sites
  const rules = await site.robots.rulesFor(ownAgent)
  const delaySeconds = rules.crawlDelay ?? 0
  const delayNote = `robots.txt requests ${delaySeconds} s between two pages, so only the start page was read for links.`
  if (delaySeconds >= 1) notes.push(delayNote)
  const feeds: string[] = []
  const readPage = async (url: URL, combinedSignal: AbortSignal) => {
    // The caller requested this page, so it is read even if robots.txt disallows it.
    if (url.href === start.href) return startResult.page
    return rules.allows(url.pathname + url.search) ? deps.readLinks(url, combinedSignal) : undefined
  }
  const addLinks = (page: ReadLinks) => {
    if (feeds.length < 5) feeds.push(...page.feeds)
    return list.addLinks(page)
  }
  const limits = { pages: delaySeconds >= 1 ? 1 : request.maxPages, maxConcurrent: maxConcurrentPages }
  const followed = await followLinks({ signal, read: readPage, onPage: addLinks }, start, limits)
  if (startResult.problem !== undefined && list.size() <= 1 && !signal.aborted) throw startResult.problem
  addWarnings(search, followed)
  const feedUrls = [...new Set(feeds)].slice(0, 5)
  await untilAborted(signal, () =>
    readSitemaps(getSitemapDeps(search, signal), feedUrls, async (entries) => list.addAll(entries, 'feed')),
  )
}

function addWarnings({ notes, request, sites: [site] }: Search, followed: FollowResult): void {
  const { stopped, read, failed } = followed
  if (stopped === 'pages' && request.maxPages > 1)
    notes.push(`Links were followed on ${read} pages; the site has more.`)
  if (stopped === 'time') notes.push(`The time was up after ${read} pages were read for links.`)
  if (read === 0) notes.push('The start page could not be read for links.')
  if (site.problem !== undefined && failed > 0)
    notes.push(`${site.problem}, so other pages were not read for links.`)
}

/** Returns undefined if the signal aborts the step, so that the results of other steps are still returned. */
const untilAborted = <Result>(signal: AbortSignal, step: () => Promise<Result>) =>
  step().catch((thrown: unknown) => {
    if (signal.aborted) return undefined
    throw thrown
  })

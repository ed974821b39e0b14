import type { Trace } from '../../platform/trace/trace.ts'
import { type Followed, followLinks, type ReadLinks } from './follow-links.ts'
import { type Discovered, type PageList, pageList } from './page-list.ts'
import type { Patterns } from './patterns.ts'
import { ownAgent, readSiteRobots, type SiteRobots } from './robots-files.ts'
import { redirectedBase, type Scope } from './scope.ts'
import type { SiteFiles } from './site-files.ts'
import {
  llmsLinks,
  readSitemaps,
  type SitemapDeps,
  type SitemapsRead,
  sevenDays,
  usualSitemaps,
} from './sitemaps.ts'

export interface DiscoverDeps {
  files: SiteFiles
  /** Reads a page for its links, in a browser where that is needed. */
  readLinks: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
}

export interface DiscoverRequest {
  teamId: string
  start: URL
  /** What belongs to a site that starts there. */
  scopeFrom: (start: URL) => Scope
  /** Which pages are listed. Others are followed all the same, since they may lead to some. */
  patterns: Patterns
  sitemap: 'skip' | 'include' | 'only'
  /** Time that sitemaps may take where links are followed as well. */
  sitemapMs: number
  /** Addresses with a query are followed, but not listed. */
  ignoreQueryParameters: boolean
  ignoreCache: boolean
  /** Most pages that are listed. */
  limit: number
  /** Links are followed until this many are listed. */
  enough: number
  /** Most pages that are read for their links. */
  mostPages: number
  /** Where it is noted what sitemaps said. */
  trace?: Trace
}

const pagesAtOnce = 8

/**
 * The addresses of a site: by sitemaps, feeds, llms.txt, and by reading its pages for links. Links are followed as far as
 * without sitemaps, so that those only ever add pages.
 */
export async function discover(
  deps: DiscoverDeps,
  request: DiscoverRequest,
  signal: AbortSignal,
): Promise<Discovered> {
  const { start } = request
  const enough = new AbortController()
  const landing = readStart(deps, start, AbortSignal.any([signal, enough.signal]))
  const search = await openSearch({ deps, request, signal }, { start, home: start })
  if (request.sitemap !== 'skip') await readNamed(search)
  // Where sitemaps name pages of the place that was asked for, nobody need know where its start leads.
  if (request.sitemap === 'only' && search.list.size() > 1) {
    enough.abort()
    return resultOf(search)
  }
  const first = await landing
  const landed = first.page === undefined ? start : new URL(first.page.url)
  const home = redirectedBase(start, landed)
  const found = home ? await moved(search, { start: landed, home }) : search
  if (request.sitemap !== 'only' && !found.list.hasEnough()) await addFollowed(found, first)
  return resultOf(found)
}

function resultOf({ list, notes }: Search): Discovered {
  const result = list.result()
  return { ...result, notes: [...notes, ...result.notes] }
}

/** The page it all starts with, or why it cannot be read. */
interface First {
  page?: ReadLinks | undefined
  problem?: unknown
}

async function readStart(deps: DiscoverDeps, start: URL, signal: AbortSignal): Promise<First> {
  try {
    return { page: await deps.readLinks(start, signal) }
  } catch (problem) {
    return { problem }
  }
}

interface Search {
  deps: DiscoverDeps
  request: DiscoverRequest
  signal: AbortSignal
  start: URL
  /** Robots and sitemaps are asked for here, by origin; the first is the site itself. */
  sites: [{ origin: string } & SiteRobots, ...({ origin: string } & SiteRobots)[]]
  list: PageList
  notes: string[]
}

async function openSearch(
  { deps, request, signal }: Pick<Search, 'deps' | 'request' | 'signal'>,
  { start, home }: { start: URL; home: URL },
): Promise<Search> {
  const { teamId, ignoreCache } = request
  const { origin } = home
  const site = await readSiteRobots(deps.files, teamId, { origin, ignoreCache, signal })
  const list = pageList({ ...request, scope: request.scopeFrom(home) })
  list.add({ url: start.href, source: 'start' })
  return { deps, request, signal, start, sites: [{ origin, ...site }], list, notes: [] }
}

/** The same search, where the start leads to. What the first host names is judged anew. */
async function moved(search: Search, place: { start: URL; home: URL }): Promise<Search> {
  const { sites, notes, ...opened } = await openSearch(search, place)
  const there: Search = {
    ...opened,
    sites: [sites[0], ...search.sites],
    notes: [...notes, `The start redirects to ${place.start.href}, so that site is listed.`],
  }
  if (search.request.sitemap !== 'skip') await readNamed(there)
  return there
}

/** The pages that the site names for machines. */
async function readNamed({ deps, request, signal, sites, list, notes }: Search): Promise<void> {
  const isAlone = request.sitemap === 'only'
  const time = AbortSignal.timeout(request.sitemapMs)
  const within = isAlone ? signal : AbortSignal.any([signal, time])
  const files = filesOf({ deps, request }, within)
  const told = sites.flatMap(({ robots, origin }) =>
    robots.sitemaps.flatMap((text) => URL.parse(text, origin)?.href ?? []),
  )
  const starts = [...told, ...sites.flatMap(({ origin }) => usualSitemaps(origin))]
  const read = await untilAborted(within, () =>
    readSitemaps(files, starts, async (entries) => list.addAll(entries, 'sitemap')),
  )
  noteSitemaps(request, read)
  notes.push(...(read?.notes ?? []).slice(0, 5))
  if (isAlone) {
    if (read?.pages === 0) notes.push('The site has no readable sitemap.')
    return
  }
  const [{ origin }] = sites
  list.addAll((await untilAborted(within, () => llmsLinks(files, origin))) ?? [], 'llms.txt')
  if (time.aborted && !signal.aborted)
    notes.push('Reading the sitemaps took half of the time; the rest of them was skipped.')
}

function noteSitemaps({ trace, sitemap }: DiscoverRequest, read: SitemapsRead | undefined): void {
  const { files = 0, pages = 0, notes = ['Reading them took too long.'] } = read ?? {}
  const [message] = notes
  trace?.note({
    ...{ step: 'sitemaps', mode: sitemap, files, found: pages },
    ...(message === undefined ? {} : { message }),
  })
}

/** How files of the site are read. */
function filesOf({ deps, request }: Pick<Search, 'deps' | 'request'>, signal: AbortSignal): SitemapDeps {
  const { teamId, ignoreCache } = request
  return { files: deps.files, teamId, maxAge: ignoreCache ? 0 : sevenDays, signal }
}

/** The pages that links lead to, and those of the feeds that are met on the way. */
async function addFollowed(search: Search, first: First): Promise<void> {
  const { deps, request, signal, start, list, notes } = search
  const [site] = search.sites
  const rules = await site.robots.rulesFor(ownAgent)
  const asked = rules.crawlDelay ?? 0
  if (asked >= 1)
    notes.push(`robots.txt requests ${asked} s between two pages, so only the start page was read for links.`)
  const feeds: string[] = []
  const read = async (url: URL, within: AbortSignal) => {
    // Somebody asked for this very page, so it is read whatever robots.txt says.
    if (url.href === start.href) return first.page
    return rules.allows(url.pathname + url.search) ? deps.readLinks(url, within) : undefined
  }
  const heard = (page: ReadLinks) => {
    if (feeds.length < 5) feeds.push(...page.feeds)
    return list.addLinks(page)
  }
  const followed = await followLinks({ signal, read, heard }, start, {
    pages: asked >= 1 ? 1 : request.mostPages,
    atOnce: pagesAtOnce,
  })
  // A site of which nothing can be read has no map, and the reason is better than an empty one.
  if (first.problem !== undefined && list.size() <= 1 && !signal.aborted) throw first.problem
  notes.push(...notesOf(followed, request, site.trouble))
  await untilAborted(signal, () =>
    readSitemaps(filesOf(search, signal), [...new Set(feeds)].slice(0, 5), async (entries) =>
      list.addAll(entries, 'feed'),
    ),
  )
}

function notesOf(followed: Followed, request: DiscoverRequest, trouble: string | undefined): string[] {
  const notes: string[] = []
  if (followed.stopped === 'pages' && request.mostPages > 1)
    notes.push(`Links were followed on ${followed.read} pages; the site has more.`)
  if (followed.stopped === 'time')
    notes.push(`The time was up after ${followed.read} pages were read for links.`)
  if (followed.read === 0) notes.push('The start page could not be read for links.')
  if (trouble !== undefined && followed.failed > 0)
    notes.push(`${trouble}, so other pages were not read for links.`)
  return notes
}

/** The time being up ends a step, not the answer. */
async function untilAborted<Result>(
  signal: AbortSignal,
  step: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await step()
  } catch (thrown) {
    if (signal.aborted) return undefined
    throw thrown
  }
}

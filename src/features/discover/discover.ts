import type { SitemapEntry } from '../../content/sitemap.ts'
import { llmsLinks } from './llms.ts'
import type { Patterns } from './patterns.ts'
import { ownAgent, robotsOf, type SiteRobots } from './robots-files.ts'
import type { Scope, SkipReason } from './scope.ts'
import type { SiteFiles } from './site-files.ts'
import { readSitemaps, type SitemapNeeds, sevenDays, usualSitemaps } from './sitemaps.ts'
import { cleanUrl, urlKey } from './url-key.ts'
import { type ReadLinks, type Walked, walk } from './walk.ts'

export type Source = 'start' | 'sitemap' | 'link' | 'feed' | 'llms.txt'

/** A page of a site that is known to be there. */
export interface FoundPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  anchor?: string | undefined
  source: Source
}

export interface DiscoverNeeds {
  files: SiteFiles
  /** Reads a page for its links, in a browser where that is needed. */
  readLinks: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
}

export interface DiscoverRequest {
  teamId: string
  start: URL
  scope: Scope
  /** Which pages are listed. Others are followed all the same, since they may lead to some. */
  patterns: Patterns
  sitemap: 'skip' | 'include' | 'only'
  /** Addresses with a query are followed, but not listed. */
  ignoreQueryParameters: boolean
  ignoreCache: boolean
  limit: number
  /** Most pages that are read for their links. */
  mostPages: number
}

export interface Discovered {
  pages: FoundPage[]
  /** How many of the pages were found in which way. */
  sources: Partial<Record<Source, number>>
  /** How many addresses were left out, and why. */
  leftOut: Partial<Record<SkipReason, number>>
  notes: string[]
}

const pagesAtOnce = 8
/** With a sitemap, links only add what it forgot: the walk ends when they stop doing so. */
const patienceWithSitemap = 60

/** The addresses of a site: by sitemaps, feeds, llms.txt, and by reading its pages for links. */
export async function discover(
  needs: DiscoverNeeds,
  request: DiscoverRequest,
  signal: AbortSignal,
): Promise<Discovered> {
  const { start, teamId, ignoreCache } = request
  const site = await robotsOf(needs.files, teamId, { origin: start.origin, ignoreCache, signal })
  const files = { files: needs.files, teamId, maxAge: ignoreCache ? 0 : sevenDays, signal }
  const search: Search = { needs, request, signal, site, files, list: pageList(request), notes: [] }
  search.list.add({ url: start.href, source: 'start' })
  const inSitemaps = request.sitemap === 'skip' ? 0 : await readNamed(search)
  if (request.sitemap !== 'only' && !search.list.isFull()) await followLinks(search, inSitemaps > 0)
  return { ...search.list.result(), notes: search.notes }
}

interface Search {
  needs: DiscoverNeeds
  request: DiscoverRequest
  signal: AbortSignal
  site: SiteRobots
  /** How files of the site are read. */
  files: SitemapNeeds
  list: ReturnType<typeof pageList>
  notes: string[]
}

/** The pages that the site names for machines; answers how many its sitemaps hold. */
async function readNamed({ request, signal, site, files, list, notes }: Search): Promise<number> {
  const { origin } = request.start
  const told = site.robots.sitemaps.flatMap((text) => URL.parse(text, origin)?.href ?? [])
  const starts = [...told, ...usualSitemaps(origin)]
  const read = await untilAborted(signal, () =>
    readSitemaps(files, starts, async (entries) => list.addAll(entries, 'sitemap')),
  )
  const pages = read?.pages ?? 0
  notes.push(...(read?.notes ?? []).slice(0, 5))
  if (request.sitemap === 'include') {
    list.addAll((await untilAborted(signal, () => llmsLinks(files, origin))) ?? [], 'llms.txt')
  } else if (pages === 0) notes.push('The site has no sitemap that could be read.')
  return pages
}

/** The pages that links lead to, and those of the feeds that are met on the way. */
async function followLinks(search: Search, hasSitemap: boolean): Promise<void> {
  const { needs, request, signal, site, list, notes } = search
  const rules = site.robots.rulesFor(ownAgent)
  const asked = rules.crawlDelay ?? 0
  if (asked >= 1)
    notes.push(`robots.txt asks for ${asked} s between two pages, so only the start was read for links.`)
  const feeds: string[] = []
  let startProblem: unknown
  const read = async (url: URL, within: AbortSignal) => {
    if (url.href !== request.start.href) {
      return rules.allows(url.pathname + url.search) ? needs.readLinks(url, within) : undefined
    }
    // Somebody asked for this very page, so it is read whatever robots.txt says.
    return needs.readLinks(url, within).catch((thrown) => {
      startProblem = thrown
      return undefined
    })
  }
  const heard = (page: ReadLinks) => {
    if (feeds.length < 5) feeds.push(...page.feeds)
    return list.addLinks(page)
  }
  const walked = await walk({ signal, read, heard }, request.start, {
    pages: asked >= 1 ? 1 : request.mostPages,
    patience: hasSitemap ? patienceWithSitemap : undefined,
    atOnce: pagesAtOnce,
  })
  // A site of which nothing can be read has no map, and the reason is better than an empty one.
  if (startProblem !== undefined && list.size() <= 1 && !signal.aborted) throw startProblem
  notes.push(...walkNotes(walked, request, site.trouble))
  await untilAborted(signal, () =>
    readSitemaps(search.files, [...new Set(feeds)].slice(0, 5), async (entries) =>
      list.addAll(entries, 'feed'),
    ),
  )
}

function walkNotes(walked: Walked, request: DiscoverRequest, trouble: string | undefined): string[] {
  const notes: string[] = []
  if (walked.stopped === 'pages' && request.mostPages > 1)
    notes.push(`Links were followed on ${walked.read} pages; the site has more.`)
  if (walked.stopped === 'time') notes.push(`The time was up after ${walked.read} pages were read for links.`)
  if (walked.read === 0) notes.push('The start page could not be read for links.')
  if (trouble !== undefined && walked.failed > 0)
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

/** Pages as they are found, each once, with what is known of them. */
function pageList(request: DiscoverRequest) {
  const likeness = { similar: true, withoutQuery: false }
  const pages = new Map<string, FoundPage>()
  const known = new Set<string>()
  const leftOut: Partial<Record<SkipReason, number>> = {}
  const leave = (reason: SkipReason) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }

  /** Answers the address if it is new and belongs here, whether it is listed or not. */
  function add(page: FoundPage): URL | undefined {
    const parsed = URL.parse(page.url)
    if (!parsed) return undefined
    const url = cleanUrl(parsed)
    const key = urlKey(url, likeness)
    const listed = pages.get(key)
    if (listed) {
      listed.title ??= page.title
      listed.description ??= page.description
      listed.anchor ??= page.anchor
    }
    if (known.has(key) || known.size >= mostKnown) return undefined
    known.add(key)
    const judged = request.scope(url)
    if (!judged.belongs) {
      leave(judged.reason)
      return undefined
    }
    const isQuery = request.ignoreQueryParameters && url.search !== '' && page.source !== 'start'
    const refused = request.patterns.refuses(url)
    if (refused) leave(refused)
    else if (isQuery) leave('query parameters')
    else if (pages.size >= request.limit) leave('limit')
    else pages.set(key, { ...page, url: url.href })
    return judged.isExternal ? undefined : url
  }

  const isFull = () => pages.size >= request.limit
  return {
    add,
    isFull,
    size: () => pages.size,
    addAll(entries: SitemapEntry[], source: Source): boolean {
      for (const { url, title, description } of entries) add({ url, title, description, source })
      return !isFull()
    },
    addLinks(page: ReadLinks): URL[] {
      const self = pages.get(urlKey(cleanUrl(new URL(page.url)), likeness))
      if (self) {
        self.title ??= page.title
        self.description ??= page.description
      }
      const next = page.next === undefined ? [] : [{ url: page.next, text: '' }]
      return [...next, ...page.links].flatMap(({ url, text }) => {
        const added = isFull() ? undefined : add({ url, anchor: text || undefined, source: 'link' })
        return added ?? []
      })
    },
    result() {
      const sources: Partial<Record<Source, number>> = {}
      for (const page of pages.values()) sources[page.source] = (sources[page.source] ?? 0) + 1
      return { pages: [...pages.values()], sources, leftOut }
    },
  }
}

/** Addresses that are remembered at all, so that a site without end does not fill the memory. */
const mostKnown = 400_000

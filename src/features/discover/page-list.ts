import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { ReadLinks } from './follow-links.ts'
import type { Patterns } from './patterns.ts'
import type { Scope, SkipReason } from './scope.ts'
import { cleanUrl, urlKey } from './url-key.ts'

export type Source = 'start' | 'sitemap' | 'link' | 'feed' | 'llms.txt'

/** Page of a site that was found in a sitemap, a feed or a link. */
export interface FoundPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  anchor?: string | undefined
  source: Source
}

export interface Discovered {
  pages: FoundPage[]
  /** Number of skipped URLs by reason. */
  leftOut: Partial<Record<SkipReason, number>>
  notes: string[]
}

export interface ListRules {
  scope: Scope
  patterns: Patterns
  ignoreQueryParameters: boolean
  /** Maximum number of listed pages. */
  limit: number
  /** Number of listed pages after which no more links are followed. */
  linkFollowLimit: number
}

export type PageList = ReturnType<typeof createPageList>

/** Creates a list of found pages. Each page is listed once, with its known titles and descriptions. */
export function createPageList(rules: ListRules) {
  const equivalence = { similar: true, withoutQuery: false }
  const pages = new Map<string, FoundPage>()
  const knownUrls = createKnownUrls()
  const pendingPages = createPendingPages()
  const leftOut: Partial<Record<SkipReason, number>> = {}
  const countSkipped = (reason: SkipReason) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }

  /**
   * Adds a page. Returns its URL if it must be read for links: it is the start, or a link points to it for the first
   * time, and it is in scope, whether it is listed or not.
   */
  function add(page: FoundPage): URL | undefined {
    const parsed = URL.parse(page.url)
    if (!parsed) return undefined
    const url = cleanUrl(parsed)
    const key = urlKey(url, equivalence)
    const listed = pages.get(key)
    if (listed) {
      listed.title ??= page.title
      listed.description ??= page.description
      listed.anchor ??= page.anchor
    } else if (knownUrls.isNew(url.href, { isLink: page.source === 'link' })) addNewPage(url, key, page)
    const shouldRead = (page.source === 'link' || page.source === 'start') && pendingPages.take(key)
    return shouldRead ? url : undefined
  }

  function addNewPage(url: URL, key: string, page: FoundPage): void {
    const decision = rules.scope(url)
    if (!decision.belongs) {
      countSkipped(decision.reason)
      return
    }
    if (!decision.isExternal) pendingPages.add(key)
    const hasQuery = url.search !== '' || url.hash.includes('?')
    const isIgnoredQuery = rules.ignoreQueryParameters && hasQuery && page.source !== 'start'
    const excludedBy = rules.patterns.exclusionReason(url)
    if (excludedBy) countSkipped(excludedBy)
    else if (isIgnoredQuery) countSkipped('query parameters')
    else if (pages.size >= rules.limit) countSkipped('limit')
    else pages.set(key, { ...page, url: url.href })
  }

  const isFull = () => pages.size >= rules.limit
  const hasReachedFollowLimit = () => pages.size >= rules.linkFollowLimit
  return {
    add,
    hasReachedFollowLimit,
    size: () => pages.size,
    addAll(entries: SitemapEntry[], source: Source): boolean {
      for (const { url, title, description } of entries) add({ url, title, description, source })
      return !isFull()
    },
    addLinks(page: ReadLinks): URL[] {
      const listedPage = pages.get(urlKey(cleanUrl(new URL(page.url)), equivalence))
      if (listedPage) {
        listedPage.title ??= page.title
        listedPage.description ??= page.description
      }
      const next = page.next === undefined ? [] : [{ url: page.next, text: '' }]
      return [...next, ...page.links].flatMap(({ url, text }) => {
        const newUrl = hasReachedFollowLimit()
          ? undefined
          : add({ url, anchor: text || undefined, source: 'link' })
        return newUrl ?? []
      })
    },
    result(): Discovered {
      return { pages: [...pages.values()], leftOut, notes: knownUrls.notes() }
    },
  }
}

/** Creates the set of pages that wait to be read for links. Each page can be taken once. */
export function createPendingPages() {
  const waiting = new Set<string>()
  const takenKeys = new Set<string>()
  return {
    add(key: string): void {
      if (!takenKeys.has(key)) waiting.add(key)
    },
    /** Takes a page from the set. Returns true if it was in the set, so that the caller must read it. */
    take(key: string): boolean {
      if (!waiting.delete(key)) return false
      takenKeys.add(key)
      return true
    },
  }
}

/** Maximum number of URLs in memory, so that an endless site does not fill it. */
const maxCheckedUrls = 400_000
/** Maximum number of these URLs from files of the site, so that long files leave capacity for links. */
const maxFromFiles = maxCheckedUrls / 2

/** Creates the set of URLs that were checked, each once, up to the maximum. */
export function createKnownUrls() {
  const checkedUrls = new Set<string>()
  let isExceeded = false
  return {
    /**
     * Returns true if the URL was not checked before. A page may have many URLs, and a pattern may exclude some of
     * them, so each is checked once.
     */
    isNew(href: string, { isLink }: { isLink: boolean }): boolean {
      if (checkedUrls.has(href)) return false
      const hasCapacity = checkedUrls.size < (isLink ? maxCheckedUrls : maxFromFiles)
      if (hasCapacity) checkedUrls.add(href)
      else isExceeded = true
      return hasCapacity
    },
    notes: (): string[] => (isExceeded ? [tooManyMessage] : []),
  }
}

const tooManyMessage = `The site has more than ${maxFromFiles} URLs; some were ignored.`

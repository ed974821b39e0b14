import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { ReadLinks } from './follow-links.ts'
import type { Patterns } from './patterns.ts'
import type { Scope, SkipReason } from './scope.ts'
import { cleanUrl, urlKey } from './url-key.ts'

export type Source = 'start' | 'sitemap' | 'link' | 'feed' | 'llms.txt'

export interface FoundPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  anchor?: string | undefined
  source: Source
}

export interface Discovered {
  pages: FoundPage[]
  leftOut: Partial<Record<SkipReason, number>>
  notes: string[]
}

export interface ListRules {
  scope: Scope
  /** Links on pages that these patterns exclude are followed too, because they may point to listed pages. */
  patterns?: Patterns
  ignoreQueryParameters?: boolean
  limit: number
  linkFollowLimit?: number
}

export type PageList = ReturnType<typeof createPageList>

export function createPageList(rules: ListRules) {
  const equivalence = { similar: true, withoutQuery: false }
  const pages = new Map<string, FoundPage>()
  const knownUrls = createKnownUrls()
  const pendingPages = createPendingPages()
  const leftOut: Partial<Record<SkipReason, number>> = {}
  const countSkipped = (reason: SkipReason) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }

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
    const excludedBy = rules.patterns?.exclusionReason(url)
    if (excludedBy) countSkipped(excludedBy)
    else if (isIgnoredQuery) countSkipped('query parameters')
    else if (pages.size >= rules.limit) countSkipped('limit')
    else pages.set(key, { ...page, url: url.href })
  }

  const hasReachedFollowLimit = () => pages.size >= (rules.linkFollowLimit ?? rules.limit)
  return {
    add,
    hasReachedFollowLimit,
    size: () => pages.size,
    addAll(entries: SitemapEntry[], source: Source): boolean {
      for (const { url, title, description } of entries) add({ url, title, description, source })
      return pages.size < rules.limit
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

export function createPendingPages() {
  const waiting = new Set<string>()
  const takenKeys = new Set<string>()
  return {
    add(key: string): void {
      if (!takenKeys.has(key)) waiting.add(key)
    },
    take(key: string): boolean {
      if (!waiting.delete(key)) return false
      takenKeys.add(key)
      return true
    },
  }
}

/** Maximum number of URLs in memory, so that an endless site does not fill it. */
const maxCheckedUrls = 400_000
/** Long files of the site leave capacity for links. */
const maxFromFiles = maxCheckedUrls / 2

/** A page may have many URLs, and a pattern may exclude some of them, so each is checked once. */
export function createKnownUrls() {
  const checkedUrls = new Set<string>()
  let isExceeded = false
  return {
    isNew(href: string, { isLink }: { isLink: boolean }): boolean {
      if (checkedUrls.has(href)) return false
      const hasCapacity = checkedUrls.size < (isLink ? maxCheckedUrls : maxFromFiles)
      if (hasCapacity) checkedUrls.add(href)
      else isExceeded = true
      return hasCapacity
    },
    notes: () => (isExceeded ? [`The site has more than ${maxFromFiles} URLs; some were ignored.`] : []),
  }
}

import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { ReadLinks } from './follow-links.ts'
import type { Patterns } from './patterns.ts'
import type { Scope, SkipReason } from './scope.ts'
import { cleanUrl, urlKey } from './url-key.ts'

export type Source = 'start' | 'sitemap' | 'link' | 'feed' | 'llms.txt'

/** A page of a site that is known to be there. */
export interface FoundPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  anchor?: string | undefined
  source: Source
}

export interface Discovered {
  pages: FoundPage[]
  /** How many addresses were left out, and why. */
  leftOut: Partial<Record<SkipReason, number>>
  notes: string[]
}

export interface ListRules {
  scope: Scope
  patterns: Patterns
  ignoreQueryParameters: boolean
  /** Most pages that are listed. */
  limit: number
  /** With this many there is no need to follow links. */
  enough: number
}

export type PageList = ReturnType<typeof pageList>

/** Pages as they are found, each once, with what is known of them. */
export function pageList(rules: ListRules) {
  const likeness = { similar: true, withoutQuery: false }
  const pages = new Map<string, FoundPage>()
  const known = createKnownUrls()
  const unread = createPendingPages()
  const leftOut: Partial<Record<SkipReason, number>> = {}
  const leave = (reason: SkipReason) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }

  /** Answers the address if it is the start, or a link leads to it for the first time, and it belongs here, whether it is listed or not. */
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
    } else if (known.isNew(url.href, { isLink: page.source === 'link' })) judge(url, key, page)
    const isHandedOut = (page.source === 'link' || page.source === 'start') && unread.handOut(key)
    return isHandedOut ? url : undefined
  }

  function judge(url: URL, key: string, page: FoundPage): void {
    const place = rules.scope(url)
    if (!place.belongs) {
      leave(place.reason)
      return
    }
    if (!place.isExternal) unread.add(key)
    const hasQuery = url.search !== '' || url.hash.includes('?')
    const isQuery = rules.ignoreQueryParameters && hasQuery && page.source !== 'start'
    const refused = rules.patterns.refuses(url)
    if (refused) leave(refused)
    else if (isQuery) leave('query parameters')
    else if (pages.size >= rules.limit) leave('limit')
    else pages.set(key, { ...page, url: url.href })
  }

  const isFull = () => pages.size >= rules.limit
  const hasEnough = () => pages.size >= rules.enough
  return {
    add,
    hasEnough,
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
        const added = hasEnough() ? undefined : add({ url, anchor: text || undefined, source: 'link' })
        return added ?? []
      })
    },
    result(): Discovered {
      return { pages: [...pages.values()], leftOut, notes: known.notes() }
    },
  }
}

/** Pages that links may lead to, each handed out once to be read. */
export function createPendingPages() {
  const waiting = new Set<string>()
  const handedOut = new Set<string>()
  return {
    add(key: string): void {
      if (!handedOut.has(key)) waiting.add(key)
    },
    /** Whether the caller is to read the page now. */
    handOut(key: string): boolean {
      if (!waiting.delete(key)) return false
      handedOut.add(key)
      return true
    },
  }
}

/** Addresses that are remembered at all, so that a site without end does not fill the memory. */
const maxFrontierSize = 400_000
/** Of these, at most this many may come from files of the site: links must find room, whatever such files name. */
const maxNamed = maxFrontierSize / 2

/** Addresses that were looked at, each once and as many as there is room for. */
export function createKnownUrls() {
  const known = new Set<string>()
  let isOverfull = false
  return {
    /** One page may be written in many ways, of which a pattern may refuse some: each is looked at, once. */
    isNew(href: string, { isLink }: { isLink: boolean }): boolean {
      if (known.has(href)) return false
      const isRoom = known.size < (isLink ? maxFrontierSize : maxNamed)
      if (isRoom) known.add(href)
      else isOverfull = true
      return isRoom
    },
    notes: (): string[] => (isOverfull ? [tooMany] : []),
  }
}

const tooMany = `The site has more than ${maxNamed} URLs; some were ignored.`

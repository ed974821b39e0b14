import type { SiteLinks } from '../../content/site/site-links.ts'
import { hashRoute, parameterNames, toTemplateSegment } from '../../platform/url.ts'

/** Page that was read for its links. */
export interface ReadLinks extends SiteLinks {
  /** Final URL of the page. */
  url: string
}

export interface FollowDeps {
  /** Reads a page; undefined if it could not be read. */
  read: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
  /** Receives a page. Returns the URLs on it that are worth reading and were not known. */
  heard: (page: ReadLinks) => URL[]
  signal: AbortSignal
}

export interface FollowLimits {
  pages: number
  /** Maximum number of pages read at the same time. */
  atOnce: number
}

export interface FollowResult {
  read: number
  failed: number
  /** Reason for stopping before all pages were read. */
  stopped: 'pages' | 'time' | undefined
}

/**
 * Reads pages one after another for their links. Pages of the kind that has yielded the most links so far come first: lists
 * before their items. An early stop then has found as many links as possible.
 */
export async function followLinks(deps: FollowDeps, start: URL, limits: FollowLimits): Promise<FollowResult> {
  const queue = createYieldQueue()
  const followed: FollowResult = { read: 0, failed: 0, stopped: undefined }
  let startedCount = 0
  queue.add(start)

  const shouldStop = () => {
    if (deps.signal.aborted) followed.stopped = 'time'
    else if (startedCount >= limits.pages) followed.stopped = 'pages'
    else return false
    return true
  }
  async function visit(url: URL): Promise<void> {
    const page = await deps.read(url, deps.signal).catch(() => undefined)
    if (!page) {
      if (deps.signal.aborted) followed.stopped = 'time'
      else followed.failed += 1
      return
    }
    followed.read += 1
    const newUrls = deps.heard(page)
    queue.learn(url, newUrls.length)
    for (const next of newUrls) queue.add(next)
  }
  const active = new Set<Promise<void>>()
  while (queue.size() > 0 || active.size > 0) {
    while (active.size < limits.atOnce && queue.size() > 0 && !shouldStop()) {
      const next = queue.next()
      if (!next) break
      startedCount += 1
      const visiting: Promise<void> = visit(next).finally(() => active.delete(visiting))
      active.add(visiting)
    }
    if (active.size === 0) break
    await Promise.race(active)
  }
  if (queue.size() === 0 && followed.stopped !== 'time') followed.stopped = undefined
  return followed
}

interface Kind {
  waiting: URL[]
  at: number
  read: number
  gained: number
}

const maxKinds = 2000

/** Creates a queue of URLs that are ordered by the yield of their kind. */
function createYieldQueue() {
  const kinds = new Map<string, Kind>()
  let size = 0
  const getKind = (url: URL): Kind => {
    const shape = kinds.size < maxKinds ? shapeOf(url) : 'other'
    const kind = kinds.get(shape) ?? { waiting: [], at: 0, read: 0, gained: 0 }
    kinds.set(shape, kind)
    return kind
  }
  return {
    size: () => size,
    add(url: URL) {
      getKind(url).waiting.push(url)
      size += 1
    },
    learn(url: URL, gained: number) {
      const kind = getKind(url)
      kind.read += 1
      kind.gained += gained
    },
    next(): URL | undefined {
      let best: Kind | undefined
      for (const kind of kinds.values()) {
        if (kind.at < kind.waiting.length && (!best || getExpectedYield(kind) > getExpectedYield(best)))
          best = kind
      }
      if (!best) return undefined
      const url = best.waiting[best.at]
      best.at += 1
      size -= 1
      if (best.at > 1000) best.waiting.splice(0, best.at)
      if (best.at > 1000) best.at = 0
      return url
    },
  }
}

/** Returns the expected number of new links per page of a kind. Kinds that were never tried start with a high value. */
function getExpectedYield(kind: Kind): number {
  return (kind.gained + 5) / (kind.read + 1)
}

/** Returns the kind of page that a URL represents: numbers and titles are replaced by placeholders. */
export function shapeOf(url: URL): string {
  const path = (url.pathname + (hashRoute(url) ?? '')).split('/').map(toTemplateSegment).join('/')
  return `${url.host}${path}?${parameterNames(url).join('&')}`
}

import type { SiteLinks } from '../../content/site/site-links.ts'
import { anySegment, hashRoute, parameterNames } from '../../platform/url.ts'

/** A page that was read for its links. */
export interface ReadLinks extends SiteLinks {
  /** Where the page was found in the end. */
  url: string
}

export interface FollowDeps {
  /** Undefined: the page could not be read. */
  read: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
  /** A page was read; answers the addresses on it that are worth reading and were not known. */
  heard: (page: ReadLinks) => URL[]
  signal: AbortSignal
}

export interface FollowLimits {
  pages: number
  /** How many pages of the site are read at the same time. */
  atOnce: number
}

export interface Followed {
  read: number
  failed: number
  /** Why it ended before everything was read. */
  stopped: 'pages' | 'time' | undefined
}

/**
 * Reads page after page for its links. Pages of the kind that has brought most so far come first: lists before what they
 * list. One that has to stop early has then seen the most it could.
 */
export async function followLinks(deps: FollowDeps, start: URL, limits: FollowLimits): Promise<Followed> {
  const queue = yieldQueue()
  const followed: Followed = { read: 0, failed: 0, stopped: undefined }
  let taken = 0
  queue.add(start)

  const isOver = () => {
    if (deps.signal.aborted) followed.stopped = 'time'
    else if (taken >= limits.pages) followed.stopped = 'pages'
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
    const fresh = deps.heard(page)
    queue.learn(url, fresh.length)
    for (const next of fresh) queue.add(next)
  }
  const active = new Set<Promise<void>>()
  while (queue.size() > 0 || active.size > 0) {
    while (active.size < limits.atOnce && queue.size() > 0 && !isOver()) {
      const next = queue.next()
      if (!next) break
      taken += 1
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

/** Addresses in the order of what their kind has brought. */
function yieldQueue() {
  const kinds = new Map<string, Kind>()
  let size = 0
  const kindOf = (url: URL): Kind => {
    const name = kinds.size < maxKinds ? shapeOf(url) : 'other'
    const kind = kinds.get(name) ?? { waiting: [], at: 0, read: 0, gained: 0 }
    kinds.set(name, kind)
    return kind
  }
  return {
    size: () => size,
    add(url: URL) {
      kindOf(url).waiting.push(url)
      size += 1
    },
    learn(url: URL, gained: number) {
      const kind = kindOf(url)
      kind.read += 1
      kind.gained += gained
    },
    next(): URL | undefined {
      let best: Kind | undefined
      for (const kind of kinds.values()) {
        if (kind.at < kind.waiting.length && (!best || promise(kind) > promise(best))) best = kind
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

/** What a page of a kind can be expected to bring; kinds that were never tried get the benefit of the doubt. */
function promise(kind: Kind): number {
  return (kind.gained + 5) / (kind.read + 1)
}

/** The kind of page an address stands for: numbers and titles stand for any number and any title. */
export function shapeOf(url: URL): string {
  const path = (url.pathname + (hashRoute(url) ?? '')).split('/').map(anySegment).join('/')
  return `${url.host}${path}?${parameterNames(url).join('&')}`
}

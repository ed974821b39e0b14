import type { SiteLinks } from '../../content/site/site-links.ts'
import { hashRoute, parameterNames, toTemplateSegment } from '../../platform/url.ts'

export interface ReadLinks extends SiteLinks {
  url: string
}

interface FollowDeps {
  read: (url: URL, signal: AbortSignal) => Promise<ReadLinks | undefined>
  /** Called with each page that was read. Returns its links that were not known and should be read. */
  onPage: (page: ReadLinks) => URL[]
  signal: AbortSignal
}

interface FollowLimits {
  pages: number
  maxConcurrent: number
}

export interface FollowResult {
  read: number
  failed: number
  stopped: 'pages' | 'time' | undefined
}

/** URLs like those of pages with many new links come first, so that an early stop has found the most. */
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
    const newUrls = deps.onPage(page)
    queue.recordYield(url, newUrls.length)
    for (const next of newUrls) queue.add(next)
  }
  const active = new Set<Promise<void>>()
  while (queue.size() > 0 || active.size > 0) {
    while (active.size < limits.maxConcurrent && queue.size() > 0 && !shouldStop()) {
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

interface UrlGroup {
  waiting: URL[]
  position: number
  pagesRead: number
  newLinks: number
}

const maxGroups = 2000

function createYieldQueue() {
  const groups = new Map<string, UrlGroup>()
  let size = 0
  const getGroup = (url: URL): UrlGroup => {
    const pattern = groups.size < maxGroups ? urlPattern(url) : 'other'
    const group = groups.get(pattern) ?? { waiting: [], position: 0, pagesRead: 0, newLinks: 0 }
    groups.set(pattern, group)
    return group
  }
  return {
    size: () => size,
    add(url: URL) {
      getGroup(url).waiting.push(url)
      size += 1
    },
    recordYield(url: URL, newLinks: number) {
      const group = getGroup(url)
      group.pagesRead += 1
      group.newLinks += newLinks
    },
    next(): URL | undefined {
      let best: UrlGroup | undefined
      for (const group of groups.values()) {
        if (
          group.position < group.waiting.length &&
          (!best || getExpectedYield(group) > getExpectedYield(best))
        )
          best = group
      }
      if (!best) return undefined
      const url = best.waiting[best.position]
      best.position += 1
      size -= 1
      if (best.position > 1000) best.waiting.splice(0, best.position)
      if (best.position > 1000) best.position = 0
      return url
    },
  }
}

const getExpectedYield = (group: UrlGroup) => (group.newLinks + 5) / (group.pagesRead + 1)

export function urlPattern(url: URL): string {
  const path = (url.pathname + (hashRoute(url) ?? '')).split('/').map(toTemplateSegment).join('/')
  return `${url.host}${path}?${parameterNames(url).join('&')}`
}

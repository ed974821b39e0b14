import type { Page, Request } from 'playwright-core'
import { listener } from '../base/listener.ts'
import { evaluateApart } from './evaluate-apart.ts'
import type { Turn } from './pool.ts'

/** The smart wait never lasts longer; what loads later than that can be waited for by `waitFor` or an action. */
const longest = 6000
const quietNetwork = 150
/** A page that keeps asking its server is done when its content has stood still for so long. */
const quietContent = 1000

/** Counts what a page is still loading: from the moment it is made, for as long as the page lives. */
export function watchNetwork(page: Page) {
  const open = new Set<Request>()
  let changed = performance.now()
  const counts = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])
  const began = (request: Request) => {
    if (!counts.has(request.resourceType())) return
    open.add(request)
    changed = performance.now()
  }
  // Of a request that cannot be asked what it is, nothing is waited for.
  page.on('request', listener(began, ignored))
  const done = (request: Request) => {
    if (open.delete(request)) changed = performance.now()
  }
  page.on('requestfinished', listener(done, ignored))
  page.on('requestfailed', listener(done, ignored))
  return {
    isQuiet: () => open.size === 0 && performance.now() - changed >= quietNetwork,
    isLoading: () => open.size > 0,
  }
}

const ignored = () => {}

export type NetworkWatch = ReturnType<typeof watchNetwork>

/**
 * The smart wait: until the content stands still and the network is quiet. A page that never stops asking its server is
 * done when its content has stood still for a second, and any page after the longest time.
 */
export async function settle(
  page: Page,
  network: NetworkWatch,
  signal: AbortSignal,
  turn?: Turn,
): Promise<void> {
  const ends = performance.now() + longest
  let still = 0
  while (performance.now() < ends) {
    signal.throwIfAborted()
    const look = () => contentStill(page, Math.max(50, Math.min(600, ends - performance.now())))
    // Where the content stands still already, only the network is waited for.
    const part = await (turn && still > 0 ? turn.whileWaiting(look) : look())
    still = part.isStill ? still + part.ms : 0
    if (part.isStill && network.isQuiet()) return
    if (still >= quietContent) return
  }
}

/** Watches the document until nothing has changed in it for a while; a thin page is given more of a chance. */
async function contentStill(page: Page, mostMs: number): Promise<{ isStill: boolean; ms: number }> {
  const began = performance.now()
  try {
    const isStill = await evaluateApart(page, watchContent, mostMs)
    return { isStill, ms: performance.now() - began }
  } catch {
    // The document was replaced by a navigation while it was being watched.
    return { isStill: false, ms: 0 }
  }
}

/** Runs in the page. */
function watchContent(mostMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const root = document.documentElement
    // Without scripts and frames nothing can change any more: the parser has ended.
    if (!document.querySelector('script, iframe, frame') && document.readyState !== 'loading')
      return resolve(true)
    const isThin = (document.body?.textContent?.trim().length ?? 0) < 200
    const needed = isThin ? Math.min(600, mostMs) : Math.min(150, mostMs)
    let timer = setTimeout(() => end(true), needed)
    const last = setTimeout(() => end(false), mostMs + 50)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(() => end(true), needed)
    })
    function end(isStill: boolean): void {
      observer.disconnect()
      clearTimeout(timer)
      clearTimeout(last)
      resolve(isStill)
    }
    if (root) observer.observe(root, { childList: true, subtree: true, characterData: true })
  })
}

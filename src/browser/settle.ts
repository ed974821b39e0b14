import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Turn } from './pool.ts'
import { type ContentFacts, watchContent } from './watch-content.ts'
import type { NetworkWatch } from './watch-network.ts'

/** The maximum of the smart wait; use `waitFor` or an action for later content. */
export const longestWait = 6000

/** Below this there is nothing to read yet, and below the other not much. */
const hollowText = 40
const thinText = 200
/** This many fields and images count as a page, without any text. */
const fewThings = 2

/** How long content must be stable, depending on what may still arrive. */
const stillness = {
  /** No request is pending and no timer was ever set: only immediate follow-up changes are possible. */
  settled: 50,
  /** Timers were set, as on most pages. */
  withTimers: 150,
  /** The same where there is little to read. */
  thin: 600,
  /** Nothing to read, and nothing that could add it. */
  empty: 300,
  /** Something was written into an empty page, by a script that has set timers. */
  filled: 1000,
  /** There is enough to read, and the page keeps sending requests. */
  asking: 1000,
  /** There is enough to read, and a part shows a loading state, although no request is pending. */
  loading: 2500,
}

export interface Settling {
  network: NetworkWatch
  signal: AbortSignal
  turn?: Turn
  /** The remaining time, which may be less than the maximum. */
  mostMs?: number
  /** The server may send another page first, and a script then renders the requested one over it. */
  isDrawnOver?: boolean
}

/** How the wait ended. */
export type Settled = 'at rest' | 'out of time'

/** A check that takes longer starts again, because the state may have changed. */
const longestLook = 600

/**
 * The smart wait: until a reader would consider the page complete. It waits for a page with nothing to read as long as
 * content may arrive. A page with enough content is done when it is stable and has no pending requests, or stable for longer
 * despite requests.
 */
export async function settle(page: Page, settling: Settling): Promise<Settled> {
  const { network, signal, turn, mostMs = longestWait } = settling
  const ends = performance.now() + Math.min(longestWait, mostMs)
  let last: ContentFacts | undefined
  let least = Number.POSITIVE_INFINITY
  let isStale = false
  const need = (facts: ContentFacts): number => {
    const needed = requiredStillMs(facts, network, facts.text > least)
    return settling.isDrawnOver && network.isLoading() ? longestWait : needed
  }
  while (performance.now() < ends) {
    signal.throwIfAborted()
    const needed = last ? need(last) : stillness.settled
    // New data may have changed everything, so the next check is soon.
    const quiet: number = isStale ? stillness.settled : Math.min(needed, stillness.withTimers)
    const minMs = network.isLoading() ? 0 : Math.max(0, quiet - network.quietMs())
    const watching = {
      ...{ stillMs: needed, calmMs: stillness.settled, minMs },
      mostMs: Math.max(1, Math.min(longestLook, ends - performance.now())),
    }
    const look = () =>
      Promise.race([seen(page, watching), ...(network.isLoading() ? [network.nextIdle()] : [])])
    // If the content is stable, the page only waits for the site.
    const isResting = last !== undefined && last.stillMs >= stillness.withTimers
    const facts = await (turn && isResting ? turn.whileWaiting(look) : look())
    isStale = facts === undefined
    if (!facts) continue
    least = Math.min(least, facts.text)
    last = facts
    if (!facts.canChange || isDone(facts, network, need(facts))) return 'at rest'
  }
  return 'out of time'
}

function isDone(facts: ContentFacts, network: NetworkWatch, needed: number): boolean {
  const isQuiet = network.isLoading() || network.quietMs() >= Math.min(needed, stillness.withTimers)
  return isQuiet && facts.stillMs >= needed
}

/** How long the content must have been stable for the page to be done. */
export function requiredStillMs(
  facts: ContentFacts,
  network: Pick<NetworkWatch, 'isLoading' | 'isListening'>,
  hasGrown: boolean,
): number {
  const { text, things, hasTimers, hasSkeletons, isLoading } = facts
  const isAsking = network.isLoading()
  const isHollow = text < hollowText && things < fewThings
  if (isHollow || hasSkeletons || (isLoading && text < thinText)) {
    if (isAsking || network.isListening() || !facts.isLoaded) return longestWait
    if (!hasTimers) return stillness.empty
    return hasGrown && !isLoading && !hasSkeletons ? stillness.filled : longestWait
  }
  if (isAsking) return isLoading ? longestWait : stillness.asking
  if (!hasTimers) return stillness.settled
  if (isLoading) return stillness.loading
  return text < thinText ? stillness.thin : stillness.withTimers
}

const betweenDocuments = 20

async function seen(page: Page, watching: Parameters<typeof watchContent>[1]) {
  try {
    return await watchContent(page, watching)
  } catch (thrown) {
    if (page.isClosed()) throw thrown
    // A navigation replaced the document during the check.
    await sleep(betweenDocuments)
    return undefined
  }
}

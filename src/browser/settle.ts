import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Turn } from './pool.ts'
import { type ContentFacts, watchContent } from './watch-content.ts'
import type { NetworkWatch } from './watch-network.ts'

/** The smart wait never lasts longer; what comes later than that can be waited for by `waitFor` or an action. */
export const longestWait = 6000

/** Below this there is nothing to read yet, and below the other not much. */
const hollowText = 40
const thinText = 200
/** So many fields and pictures are a page, whatever they say. */
const fewThings = 2

/** How long content has to stand still, by what may still come. */
const stillness = {
  /** Nothing is on its way and no timer was ever set: only what follows the last change at once. */
  settled: 50,
  /** Timers were set, as most pages do for something or other. */
  withTimers: 150,
  /** The same where there is little to read. */
  thin: 600,
  /** Nothing to read, and nothing that could bring it. */
  empty: 300,
  /** Something was written into an empty page, by a script that has set timers. */
  filled: 1000,
  /** There is enough to read, and the page goes on asking its server. */
  asking: 1000,
  /** There is enough to read, and a part of it says that it is loading, though nothing is asked for. */
  loading: 2500,
}

export interface Settling {
  network: NetworkWatch
  signal: AbortSignal
  turn?: Turn
  /** Time that is left for it, where that may be less than the longest. */
  mostMs?: number
  /** What the server sends may be another page, over which the one that is wanted is drawn. */
  isDrawnOver?: boolean
}

/** How the wait ended. */
export type Settled = 'at rest' | 'out of time'

/** A look that takes longer is begun anew, as other things may have happened. */
const longestLook = 600

/**
 * The smart wait: until a reader would say that the page is there. A page with nothing to read is waited for as long as
 * something may bring it; one with enough is done when it stands still and asks for nothing, or for a while whatever it asks.
 */
export async function settle(page: Page, settling: Settling): Promise<Settled> {
  const { network, signal, turn, mostMs = longestWait } = settling
  const ends = performance.now() + Math.min(longestWait, mostMs)
  let last: ContentFacts | undefined
  let least = Number.POSITIVE_INFINITY
  let isStale = false
  const need = (facts: ContentFacts): number => {
    const needed = neededStillness(facts, network, facts.text > least)
    return settling.isDrawnOver && network.isLoading() ? longestWait : needed
  }
  while (performance.now() < ends) {
    signal.throwIfAborted()
    const needed = last ? need(last) : stillness.settled
    // What has just come may have changed everything: then the next look is soon.
    const quiet: number = isStale ? stillness.settled : Math.min(needed, stillness.withTimers)
    const leastMs = network.isLoading() ? 0 : Math.max(0, quiet - network.quietMs())
    const watching = {
      ...{ stillMs: needed, calmMs: stillness.settled, leastMs },
      mostMs: Math.max(1, Math.min(longestLook, ends - performance.now())),
    }
    const look = () =>
      Promise.race([seen(page, watching), ...(network.isLoading() ? [network.nextIdle()] : [])])
    // Where the content stands still, only the site is waited for.
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

/** How long the content must have stood still for the page to be done. */
export function neededStillness(
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
    // The document was replaced by a navigation while it was being watched.
    await sleep(betweenDocuments)
    return undefined
  }
}

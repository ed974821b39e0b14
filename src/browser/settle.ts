import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { TabPermit } from './pool.ts'
import { type ContentFacts, watchContent } from './watch-content.ts'
import type { NetworkWatch } from './watch-network.ts'

export const maxSettleMs = 6000

/** A page with a shorter text has nothing to read. */
const minReadableText = 40
/** A page with a shorter text has little to read. */
const minSufficientText = 200
const minElements = 2

/** Time for which content must be stable, depending on the content that may still arrive (ms). */
const requiredStillness = {
  /** No request is pending and no timer was ever set: only immediate follow-up changes are possible. */
  settled: 50,
  /** Timers were set, as on most pages. */
  withTimers: 150,
  /** Timers were set, and there is little to read. */
  thin: 600,
  /** There is nothing to read, and no source of further content. */
  empty: 300,
  /** A script that has set timers wrote into an empty page. */
  filled: 1000,
  /** There is enough to read, and the page keeps sending requests. */
  requesting: 1000,
  /** There is enough to read, and a part shows a loading state, although no request is pending. */
  loading: 2500,
}

interface SettleOptions {
  network: NetworkWatch
  signal: AbortSignal
  tabPermit?: TabPermit
  maxMs?: number
  /** A script renders the requested page, possibly over another page that the server sends first. */
  hasClientRoute?: boolean
}

export type SettleResult = 'at rest' | 'out of time'

/** Maximum time of one check. A longer wait has several, because the state may change in the meantime. */
const maxCheckMs = 600

/** Waits for an empty page as long as content may arrive, and for others until they are stable. */
export async function settle(page: Page, settling: SettleOptions): Promise<SettleResult> {
  const { network, signal, tabPermit, maxMs = maxSettleMs } = settling
  const deadline = performance.now() + Math.min(maxSettleMs, maxMs)
  let lastFacts: ContentFacts | undefined
  let minText = Number.POSITIVE_INFINITY
  let isStale = false
  const getRequiredMs = (facts: ContentFacts): number =>
    settling.hasClientRoute && network.isLoading()
      ? maxSettleMs
      : requiredStillMs(facts, network, facts.text > minText)
  while (performance.now() < deadline) {
    signal.throwIfAborted()
    const requiredMs = lastFacts ? getRequiredMs(lastFacts) : requiredStillness.settled
    const quietMs: number = isStale
      ? requiredStillness.settled
      : Math.min(requiredMs, requiredStillness.withTimers)
    const minMs = network.isLoading() ? 0 : Math.max(0, quietMs - network.quietMs())
    const options = {
      ...{ stillMs: requiredMs, calmMs: requiredStillness.settled, minMs },
      maxMs: Math.max(1, Math.min(maxCheckMs, deadline - performance.now())),
    }
    const check = () =>
      Promise.race([watchOnce(page, options), ...(network.isLoading() ? [network.nextIdle()] : [])])
    const isStable = lastFacts !== undefined && lastFacts.stillMs >= requiredStillness.withTimers
    const facts = await (tabPermit && isStable ? tabPermit.whileWaiting(check) : check())
    isStale = facts === undefined
    if (!facts) continue
    minText = Math.min(minText, facts.text)
    lastFacts = facts
    if (!facts.canChange || isDone(facts, network, getRequiredMs(facts))) return 'at rest'
  }
  return 'out of time'
}

function isDone(facts: ContentFacts, network: NetworkWatch, requiredMs: number): boolean {
  const isQuiet =
    network.isLoading() || network.quietMs() >= Math.min(requiredMs, requiredStillness.withTimers)
  return isQuiet && facts.stillMs >= requiredMs
}

export function requiredStillMs(
  facts: ContentFacts,
  network: Pick<NetworkWatch, 'isLoading' | 'isListening'>,
  hasGrown: boolean,
): number {
  const { text, controls, hasTimers, hasSkeletons, isLoading } = facts
  const hasPendingRequests = network.isLoading()
  const isEmpty = text < minReadableText && controls < minElements
  if (isEmpty || hasSkeletons || (isLoading && text < minSufficientText)) {
    if (hasPendingRequests || network.isListening() || !facts.isLoaded) return maxSettleMs
    if (!hasTimers) return requiredStillness.empty
    return hasGrown && !isLoading && !hasSkeletons ? requiredStillness.filled : maxSettleMs
  }
  if (hasPendingRequests) return isLoading ? maxSettleMs : requiredStillness.requesting
  if (!hasTimers) return requiredStillness.settled
  if (isLoading) return requiredStillness.loading
  return text < minSufficientText ? requiredStillness.thin : requiredStillness.withTimers
}

async function watchOnce(page: Page, options: Parameters<typeof watchContent>[1]) {
  try {
    return await watchContent(page, options)
  } catch (thrown) {
    if (page.isClosed()) throw thrown
    // A navigation replaced the document.
    await sleep(20)
    return undefined
  }
}

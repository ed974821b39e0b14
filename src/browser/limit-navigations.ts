import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page, Request } from 'playwright-core'
import { listener } from '../platform/functions.ts'
import { evaluateInIsolatedWorld, tabSession } from './page-script.ts'

/** A navigation that began before it was held is waited for this long, and so is the end of its document. */
const maxArrivalMs = 2000

interface Paused {
  requestId: string
  frameId: string
  redirectedRequestId?: string
}

/** Limits how often a tab may navigate itself: otherwise it would never be stable enough to read. */
export async function limitNavigations(tab: Page, most: number) {
  const { session, frameId } = await tabSession(tab)
  let left = most
  let isRestless = false
  /** Resolves when the navigation that was let pass last shows its document, or fails. */
  let arrival: PromiseWithResolvers<void> | undefined
  const arrived = () => arrival?.resolve()
  session.on('Fetch.requestPaused', ({ requestId, redirectedRequestId, ...paused }: Paused) => {
    // Frames are not limited, and the hops of a redirect count once.
    const isNew = paused.frameId === frameId && redirectedRequestId === undefined
    if (isNew && left <= 0) {
      isRestless ||= left === 0
      // An aborted navigation leaves the current document in place.
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignore)
    }
    if (isNew) {
      left -= 1
      arrival = Promise.withResolvers<void>()
    }
    session.send('Fetch.continueRequest', { requestId }).catch(ignore)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  tab.on(
    'framenavigated',
    listener((frame: Frame) => void (frame === tab.mainFrame() && arrived()), arrived),
  )
  tab.on(
    'requestfailed',
    listener((request: Request) => void (request.isNavigationRequest() && arrived()), arrived),
  )
  return {
    /** From now on no navigation begins. Resolves when the tab shows a document that stays: one that began before has arrived. */
    async hold(signal: AbortSignal) {
      // Its first document was waited for when it was opened.
      const isFirst = most - left <= 1
      left = -1
      if (isFirst) return
      const patience = AbortSignal.any([signal, AbortSignal.timeout(maxArrivalMs)])
      // What never arrives must not take the document that is there.
      await Promise.race([arrival?.promise, aborted(patience)])
      await Promise.race([untilParsed(tab, patience).catch(ignore), aborted(patience)])
    },
    /** Whether it was stopped because it navigated too often. */
    isRestless: () => isRestless,
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The page was closed while its request was handled, so the answer is not needed. */
const ignore = () => undefined

/**
 * Waits until the document of the tab is fully parsed. It asks the document itself: the driver misses the event
 * if a document navigates before its end and the navigation is then stopped.
 */
export async function untilParsed(tab: Page, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await evaluateInIsolatedWorld(tab, parsed, undefined)
    } catch (thrown) {
      if (signal.aborted || tab.isClosed()) throw thrown
      // Another document took its place.
      await sleep(50, undefined, { signal })
    }
  }
}

/** Runs in the page. */
function parsed(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState !== 'loading') return resolve()
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}

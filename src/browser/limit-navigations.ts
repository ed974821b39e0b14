import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page, Request } from 'playwright-core'
import { listener, untilAborted } from '../platform/functions.ts'
import { evaluateInIsolatedWorld, ignoreError, tabSession } from './page-script.ts'

/** Maximum wait for a navigation that began before `stop`, and for the end of its document. */
const maxArrivalMs = 2000

/** Without a limit, a tab that keeps navigating might never be stable enough to read. */
export async function limitNavigations(tab: Page, maxNavigations: number) {
  const { session, frameId } = await tabSession(tab)
  let remaining = maxNavigations
  let hasReachedLimit = false
  let arrival: PromiseWithResolvers<void> | undefined
  const resolveArrival = () => arrival?.resolve()
  session.on('Fetch.requestPaused', ({ requestId, redirectedRequestId, ...paused }) => {
    // Frames are not limited, and the hops of a redirect count once.
    const isNew = paused.frameId === frameId && redirectedRequestId === undefined
    if (isNew && remaining <= 0) {
      hasReachedLimit ||= remaining === 0
      return void session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignoreError)
    }
    if (isNew) {
      remaining -= 1
      arrival = Promise.withResolvers<void>()
    }
    session.send('Fetch.continueRequest', { requestId }).catch(ignoreError)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  const onNavigated = (frame: Frame) => void (frame === tab.mainFrame() && resolveArrival())
  const onFailed = (request: Request) => void (request.isNavigationRequest() && resolveArrival())
  tab.on('framenavigated', listener(onNavigated, resolveArrival))
  tab.on('requestfailed', listener(onFailed, resolveArrival))
  return {
    /** Blocks further navigations. Resolves when the tab shows its final document. */
    async stop(signal: AbortSignal) {
      const isFirst = maxNavigations - remaining <= 1
      remaining = -1
      if (isFirst) return
      const timeoutSignal = AbortSignal.any([signal, AbortSignal.timeout(maxArrivalMs)])
      // A navigation that never completes must not replace the current document.
      await untilAborted(Promise.resolve(arrival?.promise), timeoutSignal).catch(ignoreError)
      await untilAborted(waitUntilParsed(tab, timeoutSignal), timeoutSignal).catch(ignoreError)
    },
    hasReachedLimit: () => hasReachedLimit,
  }
}

/** Polls: the driver misses the event if a document navigates before its end and the navigation is then stopped. */
export async function waitUntilParsed(tab: Page, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await evaluateInIsolatedWorld(tab, whenParsed, undefined)
    } catch (thrown) {
      if (signal.aborted || tab.isClosed()) throw thrown
      await sleep(50, undefined, { signal })
    }
  }
}

/** Runs in the page. */
function whenParsed(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState !== 'loading') return resolve()
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}

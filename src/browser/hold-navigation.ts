import type { CDPSession, Frame, Page, Request } from 'playwright-core'
import { listener } from '../base/listener.ts'
import { tabSession } from './tab-session.ts'
import { untilParsed } from './until-parsed.ts'

/** A navigation that began before it was held is waited for this long, and so is the end of its document. */
const mostArrivalMs = 2000

interface Paused {
  requestId: string
  frameId: string
  redirectedRequestId?: string
}

export interface NavigationHold {
  /** From now on no navigation begins. Resolves when the tab shows a document that stays: one that began before has arrived. */
  hold(signal: AbortSignal): Promise<void>
  /** Whether it was stopped because it navigated too often. */
  isRestless(): boolean
}

/** Limits how often a tab may navigate itself: otherwise it would never be stable enough to read. */
export async function holdNavigation(tab: Page, most: number): Promise<NavigationHold> {
  const { session, frameId } = await tabSession(tab)
  let left = most
  let isRestless = false
  /** Resolves when the navigation that was let pass last shows its document, or fails. */
  let arrival: PromiseWithResolvers<void> | undefined
  const arrived = () => arrival?.resolve()
  session.on('Fetch.requestPaused', (paused: Paused) => {
    // Frames are not limited, and the hops of a redirect count once.
    const isNew = paused.frameId === frameId && paused.redirectedRequestId === undefined
    if (isNew && left <= 0) {
      isRestless ||= left === 0
      return void abort(session, paused)
    }
    if (isNew) {
      left -= 1
      arrival = Promise.withResolvers<void>()
    }
    pass(session, paused)
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
    async hold(signal) {
      // Its first document was waited for when it was opened.
      const isFirst = most - left <= 1
      left = -1
      if (isFirst) return
      const patience = AbortSignal.any([signal, AbortSignal.timeout(mostArrivalMs)])
      // What never arrives must not take the document that is there.
      await Promise.race([arrival?.promise, aborted(patience)])
      await Promise.race([untilParsed(tab, patience).catch(ignore), aborted(patience)])
    },
    isRestless: () => isRestless,
  }
}

/** An aborted navigation leaves the current document in place. */
function abort(session: CDPSession, { requestId }: Paused): void {
  session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignore)
}

function pass(session: CDPSession, { requestId }: Paused): void {
  session.send('Fetch.continueRequest', { requestId }).catch(ignore)
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The page was closed while its request was handled, so the answer is not needed. */
const ignore = () => undefined

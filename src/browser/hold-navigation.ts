import type { CDPSession, Page } from 'playwright-core'
import { tabSession } from './tab-session.ts'

interface Paused {
  requestId: string
  frameId: string
  redirectedRequestId?: string
}

export interface NavigationHold {
  /** From now on the tab stays on the document it shows. */
  hold(): void
  /** Whether it was stopped because it navigated too often. */
  isRestless(): boolean
}

/** Limits how often a tab may navigate itself: otherwise it would never be stable enough to read. */
export async function holdNavigation(tab: Page, most: number): Promise<NavigationHold> {
  const { session, frameId } = await tabSession(tab)
  let left = most
  let isRestless = false
  session.on('Fetch.requestPaused', (paused: Paused) => {
    // Frames are not limited, and the hops of a redirect count once.
    const isNew = paused.frameId === frameId && paused.redirectedRequestId === undefined
    if (isNew && left <= 0) {
      isRestless ||= left === 0
      return void abort(session, paused)
    }
    if (isNew) left -= 1
    pass(session, paused)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  return {
    hold() {
      left = -1
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

/** The page was closed while its request was handled, so the answer is not needed. */
const ignore = () => undefined

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
  /** Whether it had led itself on so often before that it was held. */
  isRestless(): boolean
}

/** Lets a tab lead itself to other documents so many times, and then no more: it would never stand still to be read. */
export async function holdNavigation(tab: Page, most: number): Promise<NavigationHold> {
  const { session, frameId } = await tabSession(tab)
  let left = most
  let isRestless = false
  session.on('Fetch.requestPaused', (paused: Paused) => {
    // Frames may do as they like, and further hops of a redirect belong to the first.
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

/** An aborted navigation leaves the document where it is. */
function abort(session: CDPSession, { requestId }: Paused): void {
  session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(ignore)
}

function pass(session: CDPSession, { requestId }: Paused): void {
  session.send('Fetch.continueRequest', { requestId }).catch(ignore)
}

/** The page went away while its request was being answered; nobody waits for it any more. */
const ignore = () => undefined

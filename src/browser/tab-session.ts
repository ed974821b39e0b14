import type { CDPSession, Page } from 'playwright-core'

/** Our own DevTools session with a tab, in addition to the driver's. */
export interface TabSession {
  session: CDPSession
  /** The main frame has the name of the tab. */
  frameId: string
  /** Of the context that the tab belongs to. */
  contextId: string
}

const sessions = new WeakMap<Page, Promise<TabSession>>()

/** Shared by all callers. */
export function tabSession(tab: Page): Promise<TabSession> {
  const known = sessions.get(tab) ?? open(tab)
  sessions.set(tab, known)
  return known
}

async function open(tab: Page): Promise<TabSession> {
  const session = await tab.context().newCDPSession(tab)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  return { session, frameId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '' }
}

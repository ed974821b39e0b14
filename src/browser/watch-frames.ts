import type { Browser, Page } from 'playwright-core'
import { tabSession } from './tab-session.ts'

/** Reports when a cross-site frame has lost its process, which the driver does not report. */
export interface FrameWatch {
  onLoss(tab: Page, listener: () => void): Promise<void>
}

export async function watchFrames(browser: Browser): Promise<FrameWatch> {
  const contextOf = new Map<string, string>()
  const listeners = new Map<string, () => void>()
  const session = await browser.newBrowserCDPSession()
  session.on('Target.targetCreated', ({ targetInfo }) => {
    if (targetInfo.type === 'iframe') contextOf.set(targetInfo.targetId, targetInfo.browserContextId ?? '')
  })
  session.on('Target.targetDestroyed', ({ targetId }) => contextOf.delete(targetId))
  session.on('Target.targetCrashed', ({ targetId }) => listeners.get(contextOf.get(targetId) ?? '')?.())
  await session.send('Target.setDiscoverTargets', { discover: true })
  return {
    async onLoss(tab, listener) {
      const { contextId } = await tabSession(tab)
      listeners.set(contextId, listener)
      tab.context().once('close', () => listeners.delete(contextId))
    },
  }
}

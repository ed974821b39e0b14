import type { Browser, BrowserContext } from 'playwright-core'

/** Tells in which context a frame of another site has lost its process; of such a loss the driver says nothing. */
export interface FrameWatch {
  onLoss(context: BrowserContext, listener: () => void): Promise<void>
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
    async onLoss(context, listener) {
      const tab = context.pages()[0]
      if (!tab) return
      const own = await context.newCDPSession(tab)
      const { targetInfo } = await own.send('Target.getTargetInfo')
      await own.detach()
      const id = targetInfo.browserContextId ?? ''
      listeners.set(id, listener)
      context.once('close', () => listeners.delete(id))
    },
  }
}

import type { Browser } from 'playwright-core'

/** Begins to ask; answers how to stop. */
export type Heartbeat = (onSilence: () => void) => () => void

/**
 * Asks the browser for its name, again and again; tells when it has not answered for so long. Neither the driver nor the
 * operating system says anything of a browser that lives and does nothing more.
 */
export async function heartbeat(browser: Browser, answerMs: number): Promise<Heartbeat> {
  const session = await browser.newBrowserCDPSession()
  return (onSilence) => {
    let askedAt: number | undefined
    const ask = () => {
      if (askedAt !== undefined && performance.now() - askedAt >= answerMs) return onSilence()
      if (askedAt !== undefined) return
      askedAt = performance.now()
      const answered = () => {
        askedAt = undefined
      }
      // A browser that has gone is told of in another way.
      session.send('Browser.getVersion').then(answered, answered)
    }
    const timer = setInterval(ask, answerMs / 3).unref()
    return () => clearInterval(timer)
  }
}

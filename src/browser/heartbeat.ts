import type { Browser } from 'playwright-core'

/** Starts the heartbeat; returns a function that stops it. */
export type Heartbeat = (onSilence: () => void) => () => void

/**
 * Asks the browser for its name at intervals and reports when it has not answered for too long. Neither the driver nor the
 * operating system reports a browser that is alive but hangs.
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
      // A dead browser is reported in another way.
      session.send('Browser.getVersion').then(answered, answered)
    }
    const timer = setInterval(ask, answerMs / 3).unref()
    return () => clearInterval(timer)
  }
}

import type { BrowserContext } from 'playwright-core'

const patience = 3000

/**
 * Returns whether it is closed. The wait is short: a page that hangs must not block its caller, and a dead browser does
 * not answer.
 */
export async function closeContext(context: BrowserContext | undefined): Promise<boolean> {
  if (!context?.browser()?.isConnected()) return true
  const isClosed = () => true
  const closing = context.close().then(isClosed, isClosed)
  const late = new Promise<false>((resolve) => setTimeout(resolve, patience, false).unref())
  return Promise.race([closing, late])
}

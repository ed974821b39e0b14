import type { BrowserContext } from 'playwright-core'

const patience = 3000

/**
 * Answers whether it is closed. Not waited for long: a page that hangs must not hold its caller, and a browser that is gone
 * answers nothing.
 */
export async function closeContext(context: BrowserContext | undefined): Promise<boolean> {
  if (!context?.browser()?.isConnected()) return true
  const isClosed = () => true
  const closing = context.close().then(isClosed, isClosed)
  const late = new Promise<false>((resolve) => setTimeout(resolve, patience, false).unref())
  return Promise.race([closing, late])
}

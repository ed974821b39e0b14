import type { BrowserContext } from 'playwright-core'

/** Not waited for long: a page that hangs must not hold its caller, and a browser that is gone answers nothing. */
export async function closeContext(context: BrowserContext | undefined): Promise<void> {
  if (!context?.browser()?.isConnected()) return
  const closing = context.close().catch(() => undefined)
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 3000).unref())])
}

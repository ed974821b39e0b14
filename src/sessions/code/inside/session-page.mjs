import { createRequire } from 'node:module'

// `require` uses the package paths of the environment.
const { chromium } = createRequire(import.meta.url)('playwright-core')
const browserUrl = 'http://127.0.0.1:9222'
let browser

/** Ensures that the globals `browser`, `context` and `page` exist, and that the page is open. */
export async function attach() {
  if (!browser?.isConnected()) {
    browser = await chromium.connectOverCDP(browserUrl, { timeout: 15_000 })
    Object.assign(globalThis, { browser, context: browser.contexts()[0], page: undefined })
  }
  if (isOpen(globalThis.page)) return
  const [context] = browser.contexts()
  const openPages = context.pages().filter(isOpen)
  // With several pages, the active one is unknown. An empty page is the least likely.
  globalThis.page =
    openPages.find((page) => page.url() !== 'about:blank') ?? openPages[0] ?? (await context.newPage())
}

function isOpen(page) {
  return typeof page?.isClosed === 'function' && !page.isClosed()
}

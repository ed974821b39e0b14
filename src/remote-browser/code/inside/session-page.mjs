import { createRequire } from 'node:module'

// By `require`, which looks for packages where the environment says.
const { chromium } = createRequire(import.meta.url)('playwright-core')
const address = 'http://127.0.0.1:9222'
let browser

/** Sees to it that `browser`, `context` and `page` are there, and that the page is one that is open. */
export async function attach() {
  if (!browser?.isConnected()) {
    browser = await chromium.connectOverCDP(address, { timeout: 15_000 })
    Object.assign(globalThis, { browser, context: browser.contexts()[0], page: undefined })
  }
  if (isOpen(globalThis.page)) return
  const [context] = browser.contexts()
  const open = context.pages().filter(isOpen)
  // Which of several is in front cannot be told; an empty one is the least likely to be meant.
  globalThis.page = open.find((page) => page.url() !== 'about:blank') ?? open[0] ?? (await context.newPage())
}

function isOpen(page) {
  return typeof page?.isClosed === 'function' && !page.isClosed()
}

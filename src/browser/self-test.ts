import type { Browser } from 'playwright-core'
import { AppError } from '../base/errors.ts'
import type { SelfTestAnswer } from '../network/egress/self-test.ts'
import { closeContext } from './close-context.ts'

/** The content of the self-test page in a browser that does not bypass its proxy. */
const safe: SelfTestAnswer = 'proxied'

/** Fails for a browser that bypasses its proxy for addresses of this machine, because the guard would not check them. */
export async function proveProxied(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const answer = await tab.goto(url, { timeout: 15_000 })
    mustBeProxied((await answer?.text()) ?? '')
  } finally {
    await closeContext(context)
  }
}

export function mustBeProxied(text: string): void {
  if (text.includes(safe)) return
  const message =
    'This Chromium bypasses its proxy for addresses of this machine, so the service does not use it. Use another one (CHROMIUM_PATH), without a wrapper that changes its switches.'
  throw new AppError('BROWSER_FAILED', { phase: 'self-test' }, { message })
}

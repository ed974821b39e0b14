import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { evaluateApart } from './evaluate-apart.ts'

/**
 * Waits until the document of the tab is fully parsed. It asks the document itself: the driver misses the event
 * if a document navigates before its end and the navigation is then stopped.
 */
export async function untilParsed(tab: Page, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await evaluateApart(tab, parsed, undefined)
    } catch (thrown) {
      if (signal.aborted || tab.isClosed()) throw thrown
      // Another document took its place.
      await sleep(50, undefined, { signal })
    }
  }
}

/** Runs in the page. */
function parsed(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState !== 'loading') return resolve()
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { evaluateApart } from './evaluate-apart.ts'

/**
 * Until the document that the tab shows has been read to its end. Asked of the document itself: the driver misses the event
 * where a document leads to another before its own end and is then held.
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

import type { Page } from 'playwright-core'
import { AppError } from '../base/errors.ts'
import { writtenFrameMark } from '../content/frame-mark.ts'
import { evaluateApart } from './evaluate-apart.ts'
import { flatHtml } from './flat-html.ts'

/** As much text as a fetched page may have bytes. */
export const mostText = 64 * 1024 * 1024

/** The value of `hidden` on what the ad blocker or the answer to a cookie dialog took out of sight. */
export const blockedMark = 'blocked'

export interface Serialising {
  most?: number
  /** Addresses that were not loaded because they are ads: what would show them is left out. */
  blockedUrls?: string[]
}

/**
 * The document as a person sees it: shadow roots and frames stand where they are shown, as far as they can be read, and what
 * was blocked is not there. One that is too large is refused in the page itself, before it is on its way.
 */
export async function serialise(
  page: Page,
  { most = mostText, blockedUrls = [] }: Serialising = {},
): Promise<string> {
  const html = await evaluateApart(page, flatHtml, {
    most,
    blockedUrls,
    blockedMark,
    frameMark: writtenFrameMark,
  })
  if (html !== null) return html
  const message = `The page has more than ${most} characters, the limit of this service (MAX_HTML_MB).`
  throw new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'browser', bound: 'MAX_HTML_MB', most }, { message })
}

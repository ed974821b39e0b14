import type { Page } from 'playwright-core'
import { AppError } from '../base/errors.ts'
import { writtenFrameMark } from '../content/frame-mark.ts'
import { evaluateApart } from './evaluate-apart.ts'
import { flatHtml } from './flat-html.ts'

/** The limit for fetched pages, in characters instead of bytes. */
const mostText = 64 * 1024 * 1024

/** The value of `hidden` on elements that the ad blocker or the consent handling has hidden. */
export const blockedMark = 'blocked'

export interface Serialising {
  most?: number
  /** Blocked ad URLs: elements that would show them are left out. */
  blockedUrls?: string[]
}

/**
 * The document as a person sees it: shadow roots and frames are inlined, as far as they can be read, and blocked
 * elements are removed. A document that is too large is rejected in the page itself, before it is transferred.
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

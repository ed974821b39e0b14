import type { StorageState } from '../browser/profile/profile-state.ts'
import { kindOf } from '../content/content-type.ts'
import type { Captures, Page } from '../content/page.ts'
import type { Deadline } from '../platform/deadline.ts'
import type { AppError, ErrorCode } from '../platform/errors.ts'
import type { FetchPlan, PageBounds, ProxyTier } from './fetch-plan.ts'
import { type BodyBound, pageTooLarge } from './network/body.ts'

/** Turns a fetch plan into a page. */
export interface Engine {
  name: 'http' | 'chromium'
  fetch(plan: FetchPlan, tier: ProxyTier, deadline: Deadline): Promise<FetchOutcome>
}

/** An engine's answer. A value, so that trying engine after engine is a loop and not a chain of exceptions. */
export type FetchOutcome =
  | { kind: 'fetched'; page: Page; warnings: string[]; state?: StorageState | undefined }
  /** The address holds a file. A browser can show some and has the bytes of none. */
  | { kind: 'file'; captures: Captures; warnings: string[] }
  | { kind: 'failed'; error: AppError }

/**
 * Whether no other engine would fare better: the error says so, or the site broke off in the middle of its answer. Through
 * a proxy it may have been the proxy that did.
 */
export function isFinal(error: AppError, tier: Pick<ProxyTier, 'upstream'>): boolean {
  return final.has(error.code) || (error.detail.phase === 'read' && tier.upstream === undefined)
}

const final: ReadonlySet<ErrorCode> = new Set([
  'TARGET_FORBIDDEN',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_PAGE_TOO_LARGE',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_TOO_MANY_REDIRECTS',
  'SCRAPE_ACTION_ERROR',
  'PROFILE_UNREADABLE',
])

/** The settings that the bounds come from. */
const settings: Record<keyof PageBounds, string> = {
  html: 'MAX_HTML_MB',
  text: 'MAX_TEXT_MB',
  file: 'MAX_FILE_MB',
}

/** What a body may have, by what its server calls it. A server that does not know is believed to send a file. */
export function bodyBound(headers: Record<string, string>, bounds: PageBounds): BodyBound {
  const kind = labelledKind(headers['content-type'] ?? '')
  return { bound: settings[kind], bytes: bounds[kind] }
}

function labelledKind(contentType: string): keyof PageBounds {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return /^text\/(?!rtf|richtext)|[/+](?:json|xml|yaml|(?:java|ecma)script)$/.test(type) ? 'text' : 'file'
}

/** The same by what the page turned out to be. */
export function throwIfTooLarge(page: Page, bounds: PageBounds): void {
  const size = page.text?.length ?? page.bytes.length
  if (size <= Math.min(bounds.html, bounds.text, bounds.file)) return
  const { name } = kindOf(page)
  const kind = name === 'html' ? 'html' : name === 'binary' ? 'file' : 'text'
  if (size > bounds[kind]) throw pageTooLarge({ bound: settings[kind], bytes: bounds[kind] })
}

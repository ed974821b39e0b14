import type { StorageState } from '../browser/profile/profile-state.ts'
import { getPageKind } from '../content/content-type.ts'
import type { Captures, Page } from '../content/page.ts'
import type { Deadline } from '../platform/deadline.ts'
import type { AppError, ErrorCode } from '../platform/errors.ts'
import type { FetchPlan, PageBounds, ProxyTier } from './fetch-plan.ts'
import { type BodyBound, pageTooLargeError } from './network/body.ts'

export interface Engine {
  name: 'http' | 'chromium'
  fetch(plan: FetchPlan, tier: ProxyTier, deadline: Deadline): Promise<FetchOutcome>
}

export type FetchOutcome =
  | { kind: 'fetched'; page: Page; warnings: string[]; state?: StorageState | undefined }
  /** A browser can display some files, but cannot return their bytes. */
  | { kind: 'file'; captures: Captures; warnings: string[] }
  | { kind: 'failed'; error: AppError }

/** Also true if the site closed the connection during the response, unless an upstream proxy may have done so. */
export function isFinal(error: AppError, tier: Pick<ProxyTier, 'upstream'>): boolean {
  return finalCodes.has(error.code) || (error.detail.phase === 'read' && tier.upstream === undefined)
}

const finalCodes: ReadonlySet<ErrorCode> = new Set([
  'TARGET_FORBIDDEN',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_PAGE_TOO_LARGE',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_TOO_MANY_REDIRECTS',
  'SCRAPE_ACTION_ERROR',
  'PROFILE_UNREADABLE',
])

const settingNames: Record<keyof PageBounds, string> = {
  html: 'MAX_HTML_MB',
  text: 'MAX_TEXT_MB',
  file: 'MAX_FILE_MB',
}

export function bodyBound(headers: Record<string, string>, bounds: PageBounds): BodyBound {
  const kind = labelledKind(headers['content-type'] ?? '')
  return { bound: settingNames[kind], bytes: bounds[kind] }
}

function labelledKind(contentType: string): keyof PageBounds {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return /^text\/(?!rtf|richtext)|[/+](?:json|xml|yaml|(?:java|ecma)script)$/.test(type) ? 'text' : 'file'
}

export function throwIfTooLarge(page: Page, bounds: PageBounds): void {
  const size = page.text?.length ?? page.bytes.length
  if (size <= Math.min(bounds.html, bounds.text, bounds.file)) return
  const { name } = getPageKind(page)
  const kind = name === 'html' ? 'html' : name === 'binary' ? 'file' : 'text'
  if (size > bounds[kind]) throw pageTooLargeError({ bound: settingNames[kind], bytes: bounds[kind] })
}

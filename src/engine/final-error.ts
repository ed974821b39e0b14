import type { AppError, ErrorCode } from '../base/errors.ts'
import type { ProxyTier } from './fetch-plan.ts'

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

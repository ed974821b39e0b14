import type { ErrorCode } from '../../base/errors.ts'
import type { SkipReason } from '../discover/scope.ts'
import { cleanUrl } from '../discover/url-key.ts'
import { type CrawlOptions, scopeOf } from './options.ts'

/**
 * Pages that were taken and turned out not to be wanted. Their jobs end with an error, so that nothing is returned or charged; to the
 * caller they are skipped like addresses that were never taken, and no failures.
 */
export function leftOutCodes(options: CrawlOptions, now: number): Map<ErrorCode, SkipReason> {
  return new Map<ErrorCode, SkipReason>([
    ['CRAWL_DENIAL', 'robots.txt'],
    ['SCRAPE_RACED_REDIRECT_ERROR', 'duplicate'],
    ['CRAWL_START_LEFT_OUT', leftOutStart(options, now) ?? 'include paths'],
  ])
}

/** Why the start of a crawl is read for its links alone; undefined where it is a page like any other. */
export function leftOutStart(options: CrawlOptions, now: number): SkipReason | undefined {
  const { home: _, ...asked } = options
  const judged = scopeOf(asked, now)(cleanUrl(new URL(options.url)))
  if (judged.belongs) return undefined
  const { reason } = judged
  return reason === 'include paths' || reason === 'exclude paths' ? reason : undefined
}

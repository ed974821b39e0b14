import type { ErrorCode } from '../../base/errors.ts'
import type { Scope, SkipReason } from '../discover/scope.ts'
import { cleanUrl } from '../discover/url-key.ts'
import type { CrawlOptions } from './options.ts'

/**
 * Pages that were taken and turned out not to be wanted. Their jobs end with an error, so that nothing is returned or charged; to the
 * caller they are skipped like addresses that were never taken, and no failures.
 */
export function leftOutCodes({ startLeftOut = 'include paths' }: CrawlOptions): Map<ErrorCode, SkipReason> {
  return new Map<ErrorCode, SkipReason>([
    ['CRAWL_DENIAL', 'robots.txt'],
    ['SCRAPE_RACED_REDIRECT_ERROR', 'duplicate'],
    ['CRAWL_START_LEFT_OUT', startLeftOut],
  ])
}

/** Patterns choose among what the start leads to: where they leave it out itself, it is read for its links alone. */
export function leavesOutStart(scope: Scope, { url }: Pick<CrawlOptions, 'url'>): SkipReason | undefined {
  const judged = scope(cleanUrl(new URL(url)))
  if (judged.belongs) return undefined
  const { reason } = judged
  return reason === 'include paths' || reason === 'exclude paths' ? reason : undefined
}

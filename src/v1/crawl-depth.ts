import { readUrl } from '../base/url.ts'

/**
 * The pages that `maxDepth` leaves out, as a pattern. It counts parts of the path below those of the start, not steps from page to
 * page as `maxDiscoveryDepth` does.
 */
export function deeperThan(maxDepth: number, start: string, seesWholeUrl: boolean): string {
  const parts = readUrl(start)
    .pathname.split('/')
    .filter((part) => part !== '').length
  const most = parts + maxDepth
  return seesWholeUrl ? `^[a-z]+://[^/?#]+/+(?:[^/?#]+/+){${most}}[^/?#]` : `^/+(?:[^/]+/+){${most}}[^/]`
}

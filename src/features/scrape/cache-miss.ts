import { AppError } from '../../base/errors.ts'
import type { Outcome } from '../../jobs/job.ts'
import type { ScrapePlan } from './plan.ts'
import { priceOf } from './price.ts'
import type { Document, ScrapeRequest } from './schema.ts'

/** The end of a call that may use the cache alone and found nothing there that answers it. */
export function cacheMiss(request: ScrapeRequest, { cache }: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown
    ? priceOf(request, { cache: 'miss', tier: 'basic', surcharge: 0, pages: 0 })
    : 0
  const missing = cache.neverKept ?? (cache.picture ? 'screenshot' : undefined)
  if (missing === undefined) return { credits, error: new AppError(cache.missCode) }
  const option = request.lockdown ? 'lockdown' : 'minAge'
  const message = cache.neverKept
    ? `${missing} cannot be answered from the cache, and ${option} forbids fetching. Leave out one of the two.`
    : `No kept copy of this URL has the screenshot that is asked for, and ${option} forbids fetching it.`
  return { credits, error: new AppError(cache.missCode, { missing }, { message }) }
}

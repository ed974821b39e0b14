import type { ErrorCode } from '../../base/errors.ts'
import { findCrawl } from '../../store/frontier.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { leftOutCodes } from './left-out.ts'
import { storedOptions } from './options.ts'

/** What becomes of the rules of a crawl when its failed pages are scraped again; undefined for a job that is none. */
export async function crawlRetryRules(store: Store, parent: JobRow) {
  const crawl = parent.kind === 'crawl' ? await findCrawl(store.query, parent.id) : undefined
  if (!crawl) return undefined
  const options = storedOptions.read(crawl.options)
  const notFailed: ErrorCode[] = [...leftOutCodes(options).keys(), 'CRAWL_OUT_OF_SCOPE']
  const warnings = [
    'Links of these pages are not followed.',
    ...(crawl.delay > 0 ? ['The delay of the crawl does not apply; one page is scraped at a time.'] : []),
    ...(options.removeRepeatedContent ? ['removeRepeatedContent does not apply to a batch.'] : []),
  ]
  return { notFailed, mostLiving: crawl.most_living, warnings }
}

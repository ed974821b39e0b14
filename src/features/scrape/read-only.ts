import { formatNeeding } from '../../extraction/formats/index.ts'
import type { RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import type { ScrapeRequest } from './schema.ts'
import { type ScrapeNeeds, scrape } from './scrape.ts'
import type { Scraped } from './scrape-call.ts'

/**
 * A scrape that cannot write: what it is given has no way to cache, index, save a profile or keep a file. A request that needs
 * one of them fails.
 */
export function readOnlyScrape(needs: ScrapeNeeds) {
  const reading: ScrapeNeeds = {
    ...needs,
    cache: { ...needs.cache, keep: async () => {} },
    indexing: { offer: () => {} },
    files: { ...needs.files, keep: refuse },
    profiles: { ...needs.profiles, lease: refuse, forget: refuse },
  }
  return async (job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<Scraped> => {
    // The history of a page is read and written together.
    if (formatNeeding(job.input.formats, 'history')) await refuse()
    return scrape(reading, job, signal)
  }
}

async function refuse(): Promise<never> {
  const message = 'This scrape is read-only: it neither tracks changes nor saves profiles or files.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

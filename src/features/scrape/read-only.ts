import { formatReadingFrom } from '../../extraction/formats/index.ts'
import type { RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import type { ScrapeRequest } from './schema.ts'
import { type ScrapeDeps, scrape } from './scrape.ts'
import type { Scraped } from './scrape-call.ts'

/**
 * A scrape that cannot write: what it is given has no way to cache, index, save a profile or keep a file. A request that needs
 * one of them fails.
 */
export function readOnlyScrape(deps: ScrapeDeps) {
  const reading: ScrapeDeps = {
    ...deps,
    cache: { ...deps.cache, keep: async () => {} },
    indexing: { offer: () => {} },
    files: { ...deps.files, keep: refuse },
    profiles: { ...deps.profiles, lease: refuse, forget: refuse },
  }
  return async (job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<Scraped> => {
    // The history of a page is read and written together.
    if (formatReadingFrom(job.input.formats, 'history')) await refuse()
    return scrape(reading, job, signal)
  }
}

async function refuse(): Promise<never> {
  const message = 'This scrape is read-only: it neither tracks changes nor saves profiles or files.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

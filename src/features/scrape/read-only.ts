import { formatReadingFrom } from '../../extraction/formats/index.ts'
import type { RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import type { ScrapeRequest } from './schema.ts'
import { type ScrapeDeps, scrape } from './scrape.ts'
import type { Scraped } from './scrape-call.ts'

/** Creates a scrape that cannot write to the cache, the index, profiles or file storage. */
export function readOnlyScrape(deps: ScrapeDeps) {
  const readOnlyDeps: ScrapeDeps = {
    ...deps,
    cache: { ...deps.cache, store: async () => {} },
    indexing: { enqueue: () => {} },
    files: { ...deps.files, store: rejectWrite },
    profiles: { ...deps.profiles, lease: rejectWrite, delete: rejectWrite },
  }
  return async (job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<Scraped> => {
    // A change history cannot be read without being written.
    if (formatReadingFrom(job.input.formats, 'history')) await rejectWrite()
    return scrape(readOnlyDeps, job, signal)
  }
}

async function rejectWrite(): Promise<never> {
  const message = 'This scrape is read-only: it neither tracks changes nor saves profiles or files.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

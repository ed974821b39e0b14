import { STATUS_CODES } from 'node:http'
import type { ReadDocument } from '../../documents/read-document.ts'
import type { Fetched } from '../../engine/fetch-page.ts'
import type { RunningJob } from '../../jobs/job.ts'
import type { ScrapePlan } from './plan.ts'
import type { Document, ScrapeRequest } from './schema.ts'

interface Facts {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  fetched: Fetched
  isHit: boolean
  credits: number
  file: ReadDocument | undefined
}

/** What the page itself cannot know. */
export function metadataOf(facts: Facts): Document['metadata'] {
  const { job, plan } = facts
  const { page, tier } = facts.fetched
  const contentType = page.headers['content-type']
  return {
    sourceURL: job.input.url,
    url: withoutCredentials(page.url),
    statusCode: page.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.status >= 400 ? { error: STATUS_CODES[page.status] ?? `Status ${page.status}` } : {}),
    scrapeId: job.id,
    engine: page.text === undefined ? 'http' : 'chromium',
    proxyUsed: tier === 'enhanced' ? 'stealth' : 'basic',
    ...(plan.cache.read ? { cacheState: facts.isHit ? 'hit' : 'miss' } : {}),
    ...(facts.isHit ? { cachedAt: new Date(page.fetchedAt).toISOString() } : {}),
    ...(facts.file?.paged
      ? { numPages: facts.file.paged.converted.length, totalPages: facts.file.paged.total }
      : {}),
    creditsUsed: facts.credits,
    concurrencyLimited: job.waitedMs !== undefined,
    ...(job.waitedMs === undefined ? {} : { concurrencyQueueDurationMs: job.waitedMs }),
  }
}

function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

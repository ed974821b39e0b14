import { STATUS_CODES } from 'node:http'
import { scrapePrice } from '../../accounts/prices.ts'
import { type Deadline, startDeadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import { type Content, readPage } from '../../content/content.ts'
import { isTextual } from '../../content/content-type.ts'
import type { Page } from '../../content/page.ts'
import type { Engine } from '../../engine/engines/engine.ts'
import { fetchPage } from '../../engine/fetch-page.ts'
import { renderFormats } from '../../formats/render.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { PageCache } from './cache.ts'
import { planScrape, type ScrapePlan } from './plan.ts'
import type { Document, ScrapeRequest } from './schema.ts'

export interface ScrapeNeeds {
  cache: PageCache
  engines: Engine[]
}

/** The road of a scrape, top to bottom. */
export async function scrape(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  const request = job.input
  const plan = planScrape(request)
  const deadline = startDeadline(request.timeout - (job.waitedMs ?? 0), 'SCRAPE_TIMEOUT', signal)
  const kept = await deadline.during('cache', () => needs.cache.lookUp(job.teamId, plan.cache))
  if (!kept && !plan.cache.fetchOnMiss) return miss(request, plan)
  const fetched = kept ? { page: kept, warnings: [] } : await fetchFresh(needs, plan, deadline)
  if (!isTextual(fetched.page)) throw unsupportedFile(fetched.page)
  const keeping = kept ? undefined : needs.cache.keep(job.teamId, plan.cache, fetched.page)
  const content = readPage(fetched.page, plan.content)
  const fields = await deadline.during('render', () => renderFormats(request.formats, content))
  const credits = priceOf(request, kept ? 'hit' : 'miss')
  await keeping
  const warnings = [...plan.warnings, ...fetched.warnings, ...content.warnings()]
  const document = {
    ...fields,
    metadata: metadataOf(content, {
      job,
      request,
      plan,
      page: fetched.page,
      isHit: kept !== undefined,
      credits,
    }),
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
  }
  return { credits, result: document }
}

function fetchFresh(needs: ScrapeNeeds, plan: ScrapePlan, deadline: Deadline) {
  return deadline.during('fetch', (signal) => fetchPage(needs.engines, plan.fetch, signal))
}

function miss(request: ScrapeRequest, plan: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown ? priceOf(request, 'miss') : 0
  return { credits, error: new AppError(plan.cache.missCode) }
}

function priceOf(request: ScrapeRequest, cache: 'hit' | 'miss'): number {
  const lockdown = request.lockdown ? cache : 'off'
  return scrapePrice({ lockdown, zeroRetention: request.zeroDataRetention })
}

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL holds a file (${contentType}) that this installation does not turn into text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
}

interface Facts {
  job: RunningJob<ScrapeRequest>
  request: ScrapeRequest
  plan: ScrapePlan
  page: Page
  isHit: boolean
  credits: number
}

function metadataOf(content: Content, facts: Facts): Document['metadata'] {
  const { job, page, plan } = facts
  const contentType = page.headers['content-type']
  return {
    ...content.metadata(),
    sourceURL: facts.request.url,
    url: withoutCredentials(page.url),
    statusCode: page.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.status >= 400 ? { error: STATUS_CODES[page.status] ?? `Status ${page.status}` } : {}),
    scrapeId: job.id,
    proxyUsed: 'basic',
    ...(plan.cache.read ? { cacheState: facts.isHit ? 'hit' : 'miss' } : {}),
    ...(facts.isHit ? { cachedAt: new Date(page.fetchedAt).toISOString() } : {}),
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

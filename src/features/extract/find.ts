import { schemaForPrompt } from '../../extraction/formats/schema-for-prompt.ts'
import { givenSchema } from '../../extraction/formats/values/options.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { DiscoverDeps } from '../discover/discover.ts'
import { urlKey } from '../discover/url-key.ts'
import { findUrls, type PageJobRequests, pageRequest, type SearchForPages } from '../multi-page/page-jobs.ts'
import { type GatherDeps, gatherWork } from '../multi-page/read-pages.ts'
import type { Deps } from '../needs.ts'
import type { ScrapeRequest } from '../scrape/schema.ts'
import { withoutStar } from './extract.ts'
import type { ExtractRequest } from './schema.ts'
import type { FindInput, FindResult } from './stored.ts'

export interface FindDeps extends GatherDeps, Pick<Deps, 'clock' | 'models'> {
  discovering: (teamId: string, request: Pick<ExtractRequest, 'scrapeOptions'>) => DiscoverDeps
  search: SearchForPages
}

/** The price of a look at a site, as that of a map. */
const sitePrice = 1
const longestQuery = 400
/** Decides which pages an extract reads, and by which schema. */
export async function findPages(
  deps: FindDeps,
  job: RunningJob<FindInput>,
  signal: AbortSignal,
): Promise<Outcome<FindResult> & { note?: PageJobRequests }> {
  const { request, price, mostLiving } = job.input
  const finding: Finding = {
    ...{ deps, job, request: { ...request, webhook: undefined } },
    ...{ credits: 0, notes: [], pages: new Map(), unlisted: 0 },
    schema: await schemaOf(deps, job, signal),
    ...{ signal, endsAt: deps.clock.now() + (request.timeout ?? Number.POSITIVE_INFINITY) },
  }
  for (const url of request.urls) {
    if (url.endsWith('/*')) await addSite(finding, withoutStar(url))
    else add(finding, [url])
  }
  const isSearching = request.enableWebSearch || request.urls.length === 0
  if (isSearching) await addSearch(finding)
  const found = [...finding.pages.values()]
  const pages = found.slice(0, request.limit)
  if (pages.length === 0) throw new AppError('SEARCH_NOTHING_TO_SEARCH', { details: finding.notes })
  const total = found.length + finding.unlisted
  if (total > pages.length)
    finding.notes.push(`${total} pages were found, and limit lets ${pages.length} of them be read.`)
  const { schema, notes, credits } = finding
  // A page that has begun may not take longer than the time of the whole.
  const withinTime = (page: ScrapeRequest) => ({
    ...{ ...page, timeout: Math.min(page.timeout, remaining(finding)) },
  })
  const orders = pages.map((url) => ({
    id: newId(),
    request: withinTime(pageRequest(request, { url, schema })),
  }))
  return { credits, result: { schema, pages, notes }, note: { pages: orders, price, mostLiving } }
}

interface Finding {
  deps: FindDeps
  job: RunningJob<FindInput>
  request: ExtractRequest
  schema: Record<string, unknown>
  credits: number
  notes: string[]
  /** By what they are known by. */
  pages: Map<string, string>
  /** Pages of sites beyond those that may be read. */
  unlisted: number
  signal: AbortSignal
  /** When the time of the caller is up. */
  endsAt: number
}

const remaining = ({ deps, endsAt }: Finding) => Math.max(1000, endsAt - deps.clock.now())

async function schemaOf(
  { models }: FindDeps,
  { input: { request }, teamId }: RunningJob<FindInput>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const schema = givenSchema(request.schema)
  if (schema) return schema
  const model = models(teamId)
  if (!model) throw new AppError('MODEL_NOT_CONFIGURED')
  return schemaForPrompt(model, request.prompt ?? '', signal)
}

function add({ pages }: Finding, urls: readonly string[]): void {
  for (const text of urls) {
    const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`)
    if (!url) continue
    const key = urlKey(url, { similar: false, withoutQuery: false })
    if (!pages.has(key)) pages.set(key, text)
  }
}

async function addSite(finding: Finding, url: string): Promise<void> {
  const { deps, job, request, signal } = finding
  const order = {
    ...{ teamId: job.teamId, url, about: await aboutOf(finding) },
    sitemap: request.ignoreSitemap ? ('skip' as const) : ('include' as const),
    subdomains: request.includeSubdomains,
    external: request.allowExternalLinks || request.enableWebSearch,
    ms: remaining(finding),
  }
  const looking = {
    ...{ ...deps.discovering(job.teamId, request), clock: deps.clock, giveWay: job.giveWay },
  }
  const { pages, notes } = await findUrls(looking, order, signal)
  finding.credits += sitePrice
  finding.notes.push(...notes)
  finding.unlisted += Math.max(0, pages.length - request.limit)
  add(
    finding,
    pages.slice(0, request.limit).map((page) => page.url),
  )
}

/** A search that finds nothing is no reason to read nothing. */
async function addSearch(finding: Finding): Promise<void> {
  const { deps, job, request, signal } = finding
  const query = (await aboutOf(finding)).slice(0, longestQuery)
  try {
    const limit = Math.min(10, request.limit)
    const found = await deps.search(job, { query, limit, ms: remaining(finding) }, signal)
    finding.credits += found.credits
    finding.notes.push(...found.warnings)
    if (found.results.length === 0) finding.notes.push('The search found no page.')
    add(
      finding,
      found.results.map((result) => result.url),
    )
  } catch (thrown) {
    if (!(thrown instanceof AppError) || finding.pages.size === 0) throw thrown
    finding.notes.push(`enableWebSearch found nothing: ${thrown.message} (${thrown.code})`)
  }
}

/** The words by which pages are found. */
async function aboutOf({ deps, job, request, schema, signal }: Finding): Promise<string> {
  return request.prompt ?? (await gatherWork(deps, job, signal).schema(schema)).words
}

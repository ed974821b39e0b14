import { schemaForPrompt } from '../../extraction/formats/schema-for-prompt.ts'
import { givenSchema } from '../../extraction/formats/values/options.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { DiscoverDeps } from '../discover/discover.ts'
import { urlKey } from '../discover/url-key.ts'
import { findUrls, type PageJobRequests, pageRequest, type SearchForPages } from '../multi-page/page-jobs.ts'
import { createSchemaWork, type GatherDeps } from '../multi-page/read-pages.ts'
import type { Deps } from '../needs.ts'
import { withoutWildcard } from './extract.ts'
import type { ExtractRequest, FindInput, FindResult } from './schema.ts'

interface FindDeps extends GatherDeps, Pick<Deps, 'clock' | 'models'> {
  discoverDepsFor: (teamId: string, request: Pick<ExtractRequest, 'scrapeOptions'>) => DiscoverDeps
  search: SearchForPages
}

/** Equal to the price of a map. */
const sitePrice = 1
const maxQueryChars = 400

export async function findPages(
  deps: FindDeps,
  job: RunningJob<FindInput>,
  signal: AbortSignal,
): Promise<Outcome<FindResult> & { note?: PageJobRequests }> {
  const { request, price, mostLiving } = job.input
  const state: FindState = {
    ...{ deps, job, request: { ...request, webhook: undefined } },
    ...{ credits: 0, notes: [], pages: new Map(), unlisted: 0 },
    schema: await resolveSchema(deps, job, signal),
    ...{ signal, endsAt: deps.clock.now() + (request.timeout ?? Number.POSITIVE_INFINITY) },
  }
  for (const url of request.urls) {
    if (url.endsWith('/*')) await addSite(state, withoutWildcard(url))
    else addUrls(state, [{ url }])
  }
  const isSearching = request.enableWebSearch || request.urls.length === 0
  if (isSearching) await addSearch(state)
  const foundUrls = [...state.pages.values()]
  const pages = foundUrls.slice(0, request.limit)
  if (pages.length === 0) throw new AppError('SEARCH_NOTHING_TO_SEARCH', { details: state.notes })
  const total = foundUrls.length + state.unlisted
  if (total > pages.length)
    state.notes.push(`${total} pages were found, and limit lets ${pages.length} of them be read.`)
  const { schema, notes, credits } = state
  const pageRequests = pages.map((url) => {
    const page = pageRequest(request, { url, schema })
    return { id: newId(), request: { ...page, timeout: Math.min(page.timeout, getRemainingMs(state)) } }
  })
  const note = { pages: pageRequests, price, maxActive: mostLiving }
  return { credits, result: { schema, pages, notes }, note }
}

interface FindState {
  deps: FindDeps
  job: RunningJob<FindInput>
  request: ExtractRequest
  schema: Record<string, unknown>
  credits: number
  notes: string[]
  pages: Map<string, string>
  unlisted: number
  signal: AbortSignal
  endsAt: number
}

const getRemainingMs = ({ deps, endsAt }: FindState) => Math.max(1000, endsAt - deps.clock.now())

async function resolveSchema(
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

function addUrls({ pages }: FindState, found: { url: string }[]): void {
  for (const { url: text } of found) {
    const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`)
    if (!url) continue
    const key = urlKey(url, { similar: false, withoutQuery: false })
    if (!pages.has(key)) pages.set(key, text)
  }
}

async function addSite(state: FindState, url: string): Promise<void> {
  const { deps, job, request, signal } = state
  const findOptions = {
    ...{ teamId: job.teamId, url, about: await getSearchText(state) },
    sitemap: request.ignoreSitemap ? ('skip' as const) : ('include' as const),
    subdomains: request.includeSubdomains,
    external: request.allowExternalLinks || request.enableWebSearch,
    ms: getRemainingMs(state),
  }
  const { yieldToForeground } = job
  const findDeps = { ...deps.discoverDepsFor(job.teamId, request), clock: deps.clock, yieldToForeground }
  const { pages, notes } = await findUrls(findDeps, findOptions, signal)
  state.credits += sitePrice
  state.notes.push(...notes)
  state.unlisted += Math.max(0, pages.length - request.limit)
  addUrls(state, pages.slice(0, request.limit))
}

/** If the search fails, the extract continues with the other pages, if there are any. */
async function addSearch(state: FindState): Promise<void> {
  const { deps, job, request, signal } = state
  const query = (await getSearchText(state)).slice(0, maxQueryChars)
  try {
    const limit = Math.min(10, request.limit)
    const response = await deps.search(job, { query, limit, ms: getRemainingMs(state) }, signal)
    state.credits += response.credits
    state.notes.push(...response.warnings)
    if (response.results.length === 0) state.notes.push('The search found no page.')
    addUrls(state, response.results)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || state.pages.size === 0) throw thrown
    state.notes.push(`enableWebSearch found nothing: ${thrown.message} (${thrown.code})`)
  }
}

async function getSearchText({ deps, job, request, schema, signal }: FindState): Promise<string> {
  return request.prompt ?? (await createSchemaWork(deps, job, signal).schema(schema)).words
}

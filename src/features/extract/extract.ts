import { tokensPerCredit } from '../../accounts/prices.ts'
import type { Team } from '../../accounts/team.ts'
import { dayMs } from '../../accounts/team-models.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import { type BackgroundKind, createChildRow, type Outcome, type RunningJob } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { isUrl } from '../../platform/url.ts'
import { listHelperJobs, listLeaves, sumCreditsOfChildren } from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { insertPages, type PageJobRequests } from '../multi-page/page-jobs.ts'
import {
  createSchemaWork,
  type GatherDeps,
  helperResult,
  type MergedPages,
  mergePages,
  type PageReadDeps,
  readPages,
} from '../multi-page/read-pages.ts'
import type { Deps } from '../needs.ts'
import { assertValidUrls, failedWith, isEnded } from '../parent-status.ts'
import { registerWebhook } from '../webhooks/outbox.ts'
import {
  type ExtractInput,
  type ExtractRequest,
  type ExtractStatus,
  extractInput,
  type FindInput,
  type FindResult,
  findKind,
  mergeKind,
} from './schema.ts'

export interface ExtractResult extends MergedPages {
  pages: number
}

interface ExtractDeps {
  queue: Queue
  clock: Clock
  find: BackgroundKind<FindInput, unknown>
  hasModel: boolean
}

export async function startExtract(
  deps: ExtractDeps,
  team: Team,
  params: { request: ExtractRequest; price: number; idempotencyKey: string | undefined },
): Promise<{ id: string; invalidURLs: string[] }> {
  const { request } = params
  if (request.schema === undefined && !deps.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const urls = request.urls.filter((url) => isUrl(withoutWildcard(url)))
  const invalidURLs = request.urls.filter((url) => !isUrl(withoutWildcard(url)))
  assertValidUrls(request, { valid: urls, invalidURLs })
  const now = deps.clock.now()
  const commonFields = { team, origin: request.origin, retain: true, deadlineAt: now + 2 * dayMs }
  const deadlineAt = now + Math.min(request.timeout ?? 2 * dayMs, 2 * dayMs)
  const { webhook, ...requestFields } = request
  const target = urls[0] ?? request.prompt?.slice(0, 200) ?? null
  const find = {
    ...{ ...commonFields, target: null },
    input: { request: { ...requestFields, urls }, price: params.price, mostLiving: 2 * team.concurrency },
    // The team must have these credits for the given URLs. Other pages are read only while the credits suffice.
    price: params.price * Math.max(1, urls.length),
  }
  const parent = await deps.queue.submitParent<FindInput>({
    kind: 'extract',
    request: { ...commonFields, deadlineAt, price: 0, target, input: createInput(request, { urls, deps }) },
    children: { kind: deps.find, requests: [find] },
    idempotencyKey: params.idempotencyKey,
    afterInsert: (transaction, row) => registerWebhook(transaction, row, webhook),
  })
  return { id: parent.id, invalidURLs }
}

export function withoutWildcard(url: string): string {
  return url.endsWith('/*') ? url.slice(0, -2) : url
}

function createInput(
  request: ExtractRequest,
  { urls, deps }: { urls: string[]; deps: ExtractDeps },
): ExtractInput {
  const { prompt, schema, systemPrompt, showSources, urlTrace } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  const ignoredOptions =
    prompt === undefined ? 'systemPrompt' : systemPrompt === undefined ? 'prompt' : 'prompt and systemPrompt'
  const warnings: string[] = []
  if (request.agent) warnings.push('agent has no effect here: POST /v2/agent looks for pages by itself.')
  if (request.allowExternalLinks && !hasSite)
    warnings.push('allowExternalLinks has no effect: no URL ends in /*.')
  if (request.scrapeOptions?.formats.length)
    warnings.push('scrapeOptions.formats has no effect: each page is read for the values of the schema.')
  if ((prompt !== undefined || systemPrompt !== undefined) && !deps.hasModel)
    warnings.push(`No language model is configured, so ${ignoredOptions} did not change what was read.`)
  return {
    ...{ urls, schema, showSources, urlTrace, warnings },
    ...(prompt === undefined ? {} : { prompt }),
    ...(request.integration ? { integration: request.integration } : {}),
  }
}

export function extractHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== findKind || note === undefined || parent.state !== 'running') continue
        // All notes of find jobs have this type.
        await insertPages(store, transaction, parent, { ...(note as PageJobRequests), now: ending.now })
      }
    },

    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) return failedWith(failed)
      if (helpers.some(({ kind }) => kind === mergeKind)) return { state: 'completed' }
      const pages = await listLeaves(transaction, parent.id)
      const [first] = pages
      if (!first) return { state: 'failed', error: new AppError('CREDITS_EXHAUSTED').toStored() }
      if (!pages.some(({ state }) => state === 'completed')) return failedWith(first)
      // The merge has its own deadline, because the deadline of the pages may have passed.
      const merge = { ...createChildRow(parent, now), kind: mergeKind, deadline_at: now + dayMs }
      await insertJobs(transaction, [merge])
      return undefined
    },
  }
}

export async function readExtract(
  deps: PageReadDeps & Pick<Deps, 'retentionHours'>,
  row: JobRow,
): Promise<ExtractStatus> {
  const { query } = deps.store
  const input = extractInput.read(row.input)
  const credits = await sumCreditsOfChildren(query, row.id)
  const status = isEnded(row.state) ? row.state : 'processing'
  const error = readError(row.error)
  const result = status === 'completed' ? await readMergeResult(deps, row.id) : undefined
  const warnings = [...input.warnings, ...(result?.warnings ?? [])]
  return {
    success: status !== 'failed',
    status,
    data: result?.data ?? [],
    expiresAt: new Date(row.created_at + deps.retentionHours * 3600_000).toISOString(),
    ...(error ? { error: error.error, code: error.code } : {}),
    ...(warnings.length > 0 && status !== 'processing' ? { warning: warnings.join(' ') } : {}),
    ...(result && input.showSources ? { sources: result.sources, conflicts: result.conflicts } : {}),
    steps: await buildSteps(deps, row.id),
    ...(input.urlTrace ? { urlTrace: await buildUrlTrace(query, row.id, result?.sources ?? {}) } : {}),
    tokensUsed: credits * tokensPerCredit,
    creditsUsed: credits,
  }
}

const readMergeResult = (deps: PageReadDeps, parentId: string) =>
  helperResult<ExtractResult>(deps, parentId, mergeKind)

const stepNames: Record<string, string> = { [findKind]: 'find', [mergeKind]: 'merge' }

async function buildSteps(deps: PageReadDeps, parentId: string) {
  const helpers = await listHelperJobs(deps.store.query, parentId)
  const found = await readFindResult(deps, parentId)
  const leaves = await listLeaves(deps.store.query, parentId)
  const endedCount = leaves.filter(({ finished_at }) => finished_at !== null).length
  const helperSteps = helpers.map(({ kind, state }) => ({
    ...{ step: stepNames[kind] ?? kind, status: state },
    ...(kind === findKind && found ? { discoveredLinks: found.pages } : {}),
  }))
  const readStatus = endedCount === leaves.length ? 'completed' : `${endedCount} of ${leaves.length}`
  const readStep = { step: 'read', status: readStatus }
  return leaves.length === 0 ? helperSteps : [...helperSteps.slice(0, 1), readStep, ...helperSteps.slice(1)]
}

async function buildUrlTrace(
  query: Queryable,
  parentId: string,
  sources: Record<string, string[]>,
): Promise<NonNullable<ExtractStatus['urlTrace']>> {
  const used = new Set(Object.values(sources).flat())
  return (await listLeaves(query, parentId)).map(({ target, state, error }) => {
    const url = target ?? ''
    const message = readError(error)?.error
    return {
      url,
      status: state === 'completed' ? 'scraped' : state === 'failed' ? 'error' : 'mapped',
      ...(message === undefined ? {} : { error: message }),
      usedInCompletion: used.has(url),
    }
  })
}

export async function mergeExtract(
  deps: PageReadDeps & GatherDeps,
  job: RunningJob<object>,
  signal: AbortSignal,
): Promise<Outcome<ExtractResult>> {
  const parentId = job.parentId ?? ''
  const found = await readFindResult(deps, parentId)
  const work = createSchemaWork(deps, job, signal)
  const pages = await readPages({ ...deps, work }, parentId, job.yieldToForeground)
  const joined = await mergePages(work, found?.schema ?? {}, pages)
  const unpaidCount = (found?.pages.length ?? 0) - pages.length
  const warnings = [...(found?.notes ?? []), ...joined.warnings]
  if (unpaidCount > 0)
    warnings.push(`${unpaidCount} pages were not read because the team's credits were used up.`)
  return { credits: 0, result: { ...joined, warnings, pages: pages.length } }
}

const readFindResult = (deps: PageReadDeps, parentId: string) =>
  helperResult<FindResult>(deps, parentId, findKind)

export async function extractEvent(deps: PageReadDeps, extractId: string) {
  const result = await readMergeResult(deps, extractId)
  return {
    ...{ success: result !== undefined, extractId, data: result?.data ?? {} },
    ...{ totalUrlsScraped: result?.pages ?? 0, sources: result?.sources ?? {} },
  }
}

import { tokensPerCredit } from '../../accounts/prices.ts'
import type { Team } from '../../accounts/team.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import { type BackgroundKind, createChildRow } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { isUrl } from '../../platform/url.ts'
import { listHelperJobs, listLeaves, sumCreditsOfChildren } from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { insertPages, type PageJobRequests } from '../multi-page/page-jobs.ts'
import { helperResult, type PageReadDeps } from '../multi-page/read-pages.ts'
import { failedWith, isEnded } from '../parent-status.ts'
import { registerWebhook } from '../webhooks/outbox.ts'
import { type ExtractResult, readFindResult } from './merge.ts'
import type { ExtractRequest, ExtractStatus } from './schema.ts'
import { type ExtractInput, extractInput, type FindInput, findKind, mergeKind } from './stored.ts'

export interface ExtractDeps {
  queue: Queue
  clock: Clock
  find: BackgroundKind<FindInput, unknown>
  /** True if a language model is configured. */
  hasModel: boolean
}

const dayMs = 24 * 3600_000

/** Submits an extract and the job that finds its pages, in one transaction. */
export async function startExtract(
  deps: ExtractDeps,
  team: Team,
  params: { request: ExtractRequest; price: number; idempotencyKey: string | undefined },
): Promise<{ id: string; invalidURLs: string[] }> {
  const { request } = params
  if (request.schema === undefined && !deps.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const urls = request.urls.filter((url) => isUrl(withoutWildcard(url)))
  const invalidURLs = request.urls.filter((url) => !isUrl(withoutWildcard(url)))
  assertValidUrls(request, { urls, invalidURLs })
  const now = deps.clock.now()
  const commonFields = { team, origin: request.origin, retain: true, deadlineAt: now + 2 * dayMs }
  // Pages have the deadline of their parent.
  const deadlineAt = now + Math.min(request.timeout ?? 2 * dayMs, 2 * dayMs)
  const { webhook, ...requestFields } = request
  const parent = await deps.queue.submitParent<FindInput>({
    kind: 'extract',
    request: {
      ...{ ...commonFields, deadlineAt, price: 0, target: getTarget(request, urls) },
      input: createInput(request, { urls, deps }),
    },
    children: {
      kind: deps.find,
      requests: [
        {
          ...{ ...commonFields, target: null },
          input: {
            request: { ...requestFields, urls },
            price: params.price,
            mostLiving: 2 * team.concurrency,
          },
          // The team must have these credits for the given URLs. Other pages are read only while the credits suffice.
          price: params.price * Math.max(1, urls.length),
        },
      ],
    },
    idempotencyKey: params.idempotencyKey,
    async afterInsert(transaction, row) {
      if (webhook) await registerWebhook(transaction, row, webhook)
    },
  })
  return { id: parent.id, invalidURLs }
}

export function withoutWildcard(url: string): string {
  return url.endsWith('/*') ? url.slice(0, -2) : url
}

function assertValidUrls(
  { ignoreInvalidURLs, urls: requestedUrls }: ExtractRequest,
  { urls, invalidURLs }: { urls: string[]; invalidURLs: string[] },
): void {
  if (requestedUrls.length > 0 && urls.length === 0) throw new AppError('NO_VALID_URLS', { invalidURLs })
  if (invalidURLs.length === 0 || ignoreInvalidURLs) return
  const message = 'Some URLs are not valid. Remove them, or set ignoreInvalidURLs: true to skip them.'
  throw new AppError('BAD_URL', { invalidURLs }, { message })
}

const getTarget = ({ prompt }: ExtractRequest, urls: string[]) => urls[0] ?? prompt?.slice(0, 200) ?? null

/** Creates the stored input of an extract, with warnings about options that have no effect. */
function createInput(
  request: ExtractRequest,
  { urls, deps }: { urls: string[]; deps: ExtractDeps },
): ExtractInput {
  const { prompt, schema, systemPrompt, showSources, urlTrace } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  const ignoredOptions =
    prompt === undefined ? 'systemPrompt' : systemPrompt === undefined ? 'prompt' : 'prompt and systemPrompt'
  const warnings = [
    ...(request.agent ? ['agent has no effect here: POST /v2/agent looks for pages by itself.'] : []),
    ...(request.allowExternalLinks && !hasSite
      ? ['allowExternalLinks has no effect: no URL ends in /*.']
      : []),
    ...(request.scrapeOptions?.formats.length
      ? ['scrapeOptions.formats has no effect: each page is read for the values of the schema.']
      : []),
    ...((prompt !== undefined || systemPrompt !== undefined) && !deps.hasModel
      ? [`No language model is configured, so ${ignoredOptions} did not change what was read.`]
      : []),
  ]
  return {
    ...{ urls, schema, showSources, urlTrace, warnings },
    ...(prompt === undefined ? {} : { prompt }),
    ...(request.integration ? { integration: request.integration } : {}),
  }
}

/**
 * Creates the hooks of an extract. They insert the pages that were found, the merge job, and the end of the extract.
 */
export function extractHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== findKind || note === undefined || parent.state !== 'running') continue
        // All notes of find jobs have this type.
        await insertPages(store, transaction, parent, { ...(note as PageJobRequests), now: ending.now })
      }
    },

    /** Returns undefined if the pages are merged next. */
    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) return failedWith(failed)
      if (helpers.some(({ kind }) => kind === mergeKind)) return { state: 'completed' }
      const pages = await listLeaves(transaction, parent.id)
      const [first] = pages
      // The team could not pay for any page that was found.
      if (!first) return { state: 'failed', error: new AppError('CREDITS_EXHAUSTED').toStored() }
      if (!pages.some(({ state }) => state === 'completed')) return failedWith(first)
      // The merge has its own deadline, because the deadline of the pages may have passed.
      const merge = { ...createChildRow(parent, now), kind: mergeKind, deadline_at: now + dayMs }
      await insertJobs(transaction, [merge])
      return undefined
    },
  }
}

export interface StatusDeps extends PageReadDeps {
  retentionHours: number
}

/** Returns the status of an extract, read from its jobs. */
export async function readExtract(deps: StatusDeps, row: JobRow): Promise<ExtractStatus> {
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
    steps: await buildSteps(deps, query, row.id),
    ...(input.urlTrace ? { urlTrace: await buildUrlTrace(query, row.id, result?.sources ?? {}) } : {}),
    tokensUsed: credits * tokensPerCredit,
    creditsUsed: credits,
  }
}

/** Returns the merged result; undefined if the pages are not merged yet. */
const readMergeResult = (deps: PageReadDeps, parentId: string) =>
  helperResult<ExtractResult>(deps, parentId, mergeKind)

async function buildSteps(deps: PageReadDeps, query: Queryable, parentId: string) {
  const helpers = await listHelperJobs(query, parentId)
  const found = await readFindResult(deps, parentId)
  const names: Record<string, string> = { [findKind]: 'find', [mergeKind]: 'merge' }
  const leaves = await listLeaves(query, parentId)
  const endedCount = leaves.filter(({ finished_at }) => finished_at !== null).length
  const helperSteps = helpers.map(({ kind, state }) => ({
    step: names[kind] ?? kind,
    status: state,
    ...(kind === findKind && found ? { discoveredLinks: found.pages } : {}),
  }))
  const readStep = {
    step: 'read',
    status: endedCount === leaves.length ? 'completed' : `${endedCount} of ${leaves.length}`,
  }
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

/** Returns the webhook payload at the end of an extract. */
export async function extractEvent(deps: PageReadDeps, extractId: string) {
  const result = await readMergeResult(deps, extractId)
  return {
    ...{ success: result !== undefined, extractId, data: result?.data ?? {} },
    ...{ totalUrlsScraped: result?.pages ?? 0, sources: result?.sources ?? {} },
  }
}

import { tokensPerCredit } from '../../accounts/prices.ts'
import type { Team } from '../../accounts/team.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import { type BackgroundKind, createChildRow } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { isUrl } from '../../platform/url.ts'
import { listCalls, listHelperJobs, sumCreditsOfChildren } from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import { findJob, insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { insertPages } from '../multi-page/page-jobs.ts'
import { jobText, type PageReadDeps } from '../multi-page/read-pages.ts'
import type { Deps } from '../needs.ts'
import { failedWith } from '../parent-status.ts'
import { present } from '../present.ts'
import { enqueueActionEvent, registerWebhook } from '../webhooks/outbox.ts'
import { endOf } from './run.ts'
import type { AgentRequest } from './schema.ts'
import type { StepNote } from './step.ts'
import {
  type AgentInput,
  agentInput,
  type EndResult,
  endInput,
  endKind,
  type StepInput,
  type StepResult,
  stepInput,
  stepKind,
} from './stored.ts'
import { maxRunsPerThread, runsOfThread } from './threads.ts'

interface AgentDeps extends Pick<Deps, 'store' | 'clock' | 'models'> {
  queue: Queue
  step: BackgroundKind<StepInput, unknown>
}

const dayMs = 24 * 3600_000

export async function startAgent(
  deps: AgentDeps,
  team: Team,
  params: { request: AgentRequest; price: number; idempotencyKey: string | undefined },
): Promise<{ id: string; threadId: string; threadTurn: number; warnings: string[] }> {
  const { webhook, ...request } = params.request
  if (!deps.models(team.id)) throw new AppError('MODEL_NOT_CONFIGURED')
  const invalidURLs = request.urls.filter((url) => !isUrl(url.replace(/\/\*$/, '')))
  if (invalidURLs.length > 0) throw new AppError('BAD_URL', { invalidURLs })
  if (request.strictConstrainToURLs && request.urls.length === 0) {
    const message = 'strictConstrainToURLs needs urls: without any, nothing may be read.'
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  const { price, idempotencyKey } = params
  const id = newId()
  const thread = await resolveThread(deps, team, { id, threadId: request.threadId })
  const warnings = buildWarnings(request)
  const deadlineAt = deps.clock.now() + 2 * dayMs
  const commonFields = { team, origin: request.origin, retain: true, deadlineAt }
  const input: AgentInput = { request, ...thread, price, mostLiving: 2 * team.concurrency, warnings }
  const target = request.urls[0] ?? request.prompt.slice(0, 200)
  const firstStep = { ...commonFields, input: { step: 0 }, target: null, price }
  await deps.queue.submitParent<StepInput>({
    kind: 'agent',
    request: { ...commonFields, id, input, target, price: 0 },
    children: { kind: deps.step, requests: [firstStep] },
    idempotencyKey,
    afterInsert: (transaction, row) => registerWebhook(transaction, row, webhook),
  })
  return { id, ...thread, warnings }
}

/** Returns the thread of a new run: the given one, or a new one. The id of a thread is the id of its first run. */
async function resolveThread(
  deps: AgentDeps,
  team: Team,
  { id, threadId }: { id: string; threadId: string | undefined },
): Promise<{ threadId: string; threadTurn: number }> {
  if (threadId === undefined) return { threadId: id, threadTurn: 1 }
  const runs = await runsOfThread(deps, team.id, threadId)
  const last = runs.at(-1)
  if (!last) throw new AppError('JOB_NOT_FOUND')
  if (last.row.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  if (runs.length >= maxRunsPerThread) {
    const message = `A thread has at most ${maxRunsPerThread} runs. Start another.`
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  return { threadId: last.input.threadId, threadTurn: last.input.threadTurn + 1 }
}

function buildWarnings({ model, exchange }: Pick<AgentRequest, 'model' | 'exchange'>): string[] {
  return [
    ...(model === undefined ? [] : ['model has no effect: the language model of this installation is used.']),
    ...(exchange === undefined ? [] : ['exchange has no effect: there are no paid providers here.']),
  ]
}

export function agentHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== stepKind || ending.state !== 'completed' || parent.state !== 'running') continue
        // All notes of agent steps have this type.
        const { pageRequests, end } = (note as StepNote | undefined) ?? {}
        const now = ending.now
        if (pageRequests && pageRequests.pages.length > 0)
          await insertPages(store, transaction, parent, { ...pageRequests, now })
        if (end) {
          const last = { ...createChildRow(parent, now), kind: endKind, input: endInput.write(end) }
          await insertJobs(transaction, [last])
        }
        await enqueueActionEvent(transaction, row, now)
      }
    },

    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) return failedWith(failed)
      if (helpers.some(({ kind }) => kind === endKind)) return { state: 'completed' }
      const step = helpers.filter(({ kind }) => kind === stepKind).length
      const next = { kind: stepKind, takes_slot: 1, input: stepInput.write({ step }) }
      await insertJobs(transaction, [{ ...createChildRow(parent, now), ...next }])
      return undefined
    },
  }
}

export async function agentEvent(deps: PageReadDeps, { id, event }: { id: string; event: string }) {
  const { query } = deps.store
  const row = await findJob(query, id)
  if (!row) return {}
  const creditsUsed = await sumCreditsOfChildren(query, row.parent_id ?? row.id)
  if (row.kind === stepKind) {
    const step = await jobText<StepResult>(deps, row)
    const input = step?.call?.arguments ?? { urls: step?.ordered.map(({ url }) => url) ?? [] }
    return { creditsUsed, action: step?.action ?? 'none', input }
  }
  const end = event === 'agent.completed' ? await endOf(deps, row.id) : undefined
  const data = end?.data ?? end?.message
  return { creditsUsed, ...present({ data }) }
}

export async function agentAsExtract(deps: AgentStatusDeps, row: JobRow) {
  const agent = await readAgent(deps, row)
  const { error, code, warning, sources, conflicts, status, expiresAt, creditsUsed } = agent
  return {
    success: status !== 'failed' || row.state === 'cancelled',
    status: row.state === 'cancelled' ? ('cancelled' as const) : status,
    data: agent.data ?? agent.message ?? [],
    expiresAt,
    ...present({ error, code, warning, sources, conflicts }),
    tokensUsed: creditsUsed * tokensPerCredit,
    creditsUsed,
  }
}

type AgentStatusDeps = PageReadDeps & Pick<Deps, 'retentionHours'>

/** Model name in the response if the request contains no model. All clients accept it. */
const defaultModelName = 'spark-1-pro'

export async function readAgent(deps: AgentStatusDeps, row: JobRow) {
  const { request, threadId, threadTurn, warnings: inputWarnings } = agentInput.read(row.input)
  const end = row.state === 'completed' ? await endOf(deps, row.id) : undefined
  const { data, message, sources, conflicts }: Partial<EndResult> = end ?? {}
  const error = readError(row.error)
  const warnings = [...inputWarnings, ...(end?.warnings ?? [])]
  const stopReason = row.state === 'cancelled' ? 'cancelled' : end?.stopReason
  return {
    status: toPublicStatus(row),
    ...present({ data, message, sources, conflicts }),
    ...present({ error: error?.error, code: error?.code, stopReason }),
    model: request.model ?? defaultModelName,
    ...present({ effort: request.effort }),
    ...{ mode: request.mode, threadId, threadTurn },
    expiresAt: new Date(row.created_at + deps.retentionHours * 3600_000).toISOString(),
    creditsUsed: await sumCreditsOfChildren(deps.store.query, row.id),
    ...(warnings.length > 0 && row.finished_at !== null ? { warning: warnings.join(' ') } : {}),
  }
}

/** Returns the public status. Clients accept only three, so a cancelled run is reported as failed. */
function toPublicStatus({ state }: Pick<JobRow, 'state'>): 'processing' | 'completed' | 'failed' {
  if (state === 'completed') return state
  return state === 'failed' || state === 'cancelled' ? 'failed' : 'processing'
}

const pageSize = 20

export async function listAgents({ store }: PageReadDeps, team: Team, before: number | undefined) {
  const query = { teamId: team.id, kind: 'agent', before, limit: pageSize + 1 }
  const rows = await listCalls(store.query, query)
  const shown = rows.slice(0, pageSize)
  const agents: ReturnType<typeof toListItem>[] = []
  for (const row of shown) {
    agents.push(toListItem(row))
    // A request of the maximum size takes milliseconds to parse, so yield between rows.
    await nextTurn()
  }
  return { agents, nextBefore: rows.length > pageSize ? shown.at(-1)?.created_at : undefined }
}

function toListItem(row: JobRow) {
  const { request } = agentInput.read(row.input)
  return {
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    targetHint: row.target ?? '',
    origin: row.origin ?? 'api',
    ...(request.integration ? { integration: request.integration } : {}),
    settings: { hidden: false, starred: false },
    status: toPublicStatus(row),
    options: {
      ...{ urls: request.urls, prompt: request.prompt, model: request.model ?? defaultModelName },
      ...present({ schema: request.schema, effort: request.effort }),
    },
  }
}

import { tokensPerCredit } from '../../accounts/prices.ts'
import type { Team } from '../../accounts/team.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import { type BackgroundKind, createChildRow } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { isUrl } from '../../platform/url.ts'
import { creditsOfChildren, listCalls, listHelperJobs } from '../../store/jobs/child-jobs.ts'
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
import type { StepRecord } from './step.ts'
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

export interface AgentDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Queue
  step: BackgroundKind<StepInput, unknown>
  hasModel: boolean
}

const day = 24 * 3600_000

/** A request → an agent with its first step, acknowledged together. */
export async function startAgent(
  deps: AgentDeps,
  team: Team,
  order: { request: AgentRequest; price: number; idempotencyKey: string | undefined },
): Promise<{ id: string; threadId: string; threadTurn: number; warnings: string[] }> {
  const { webhook, ...request } = order.request
  if (!deps.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const invalidURLs = request.urls.filter((url) => !isUrl(url.replace(/\/\*$/, '')))
  if (invalidURLs.length > 0) throw new AppError('BAD_URL', { invalidURLs })
  if (request.strictConstrainToURLs && request.urls.length === 0) {
    const message = 'strictConstrainToURLs needs urls: without any, nothing may be read.'
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  const id = newId()
  const thread = await threadOf(deps, team, { id, threadId: request.threadId })
  const warnings = warningsOf(request)
  const deadlineAt = deps.clock.now() + 2 * day
  const common = { team, origin: request.origin, retain: true, deadlineAt }
  const input: AgentInput = {
    ...{ request, ...thread, price: order.price, mostLiving: 2 * team.concurrency, warnings },
  }
  const target = request.urls[0] ?? request.prompt.slice(0, 200)
  await deps.queue.submitParent<StepInput>({
    kind: 'agent',
    order: { ...common, id, input, target, price: 0 },
    children: {
      kind: deps.step,
      orders: [{ ...common, input: { step: 0 }, target: null, price: order.price }],
    },
    idempotencyKey: order.idempotencyKey,
    async also(transaction, row) {
      if (webhook) await registerWebhook(transaction, row, webhook)
    },
  })
  return { id, ...thread, warnings }
}

/** A thread is known by the id of its first run. */
async function threadOf(
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

function warningsOf({ model, exchange }: Pick<AgentRequest, 'model' | 'exchange'>): string[] {
  return [
    ...(model === undefined ? [] : ['model has no effect: the language model of this installation is used.']),
    ...(exchange === undefined ? [] : ['exchange has no effect: there are no paid providers here.']),
  ]
}

/** What an agent does when a step of it or the pages of a step have ended. */
export function agentHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== stepKind || ending.state !== 'completed' || parent.state !== 'running') continue
        // Made by that step alone.
        const { orders, end } = (note as StepRecord | undefined) ?? {}
        const now = ending.now
        if (orders && orders.pages.length > 0)
          await insertPages(store, transaction, parent, { ...orders, now })
        if (end) {
          const last = { ...createChildRow(parent, now), kind: endKind, input: endInput.write(end) }
          await insertJobs(transaction, [last])
        }
        await enqueueActionEvent(transaction, row, now)
      }
    },

    /** Undefined: the next step is taken. */
    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) return failedWith(failed)
      if (helpers.some(({ kind }) => kind === endKind)) return { state: 'completed' }
      const step = helpers.filter(({ kind }) => kind === stepKind).length
      const input = stepInput.write({ step })
      await insertJobs(transaction, [
        { ...createChildRow(parent, now), kind: stepKind, takes_slot: 1, input },
      ])
      return undefined
    },
  }
}

/** What a receiver gets for a step of an agent, or for its end. */
export async function agentEvent(deps: PageReadDeps, { id, event }: { id: string; event: string }) {
  const { query } = deps.store
  const row = await findJob(query, id)
  if (!row) return {}
  const creditsUsed = await creditsOfChildren(query, row.parent_id ?? row.id)
  if (row.kind === stepKind) {
    const step = await jobText<StepResult>(deps, row)
    const input = step?.call?.arguments ?? { urls: step?.ordered.map(({ url }) => url) ?? [] }
    return { creditsUsed, action: step?.action ?? 'none', input }
  }
  const end = event === 'agent.completed' ? await endOf(deps, row.id) : undefined
  const data = end?.data ?? end?.message
  return { creditsUsed, ...(data === undefined ? {} : { data }) }
}

/** How an agent stands, in the words of an extract, which knows that a job can be cancelled. */
export async function agentAsExtract(deps: AgentStatusDeps, row: JobRow) {
  const { data, message, error, code, warning, sources, conflicts, status, expiresAt, creditsUsed } =
    await readAgent(deps, row)
  const given = data ?? message
  return {
    success: status !== 'failed' || row.state === 'cancelled',
    status: row.state === 'cancelled' ? ('cancelled' as const) : status,
    data: given ?? [],
    expiresAt,
    ...present({ error, code, warning, sources, conflicts }),
    tokensUsed: creditsUsed * tokensPerCredit,
    creditsUsed,
  }
}

export interface AgentStatusDeps extends PageReadDeps {
  retentionHours: number
}

/** A name that every client knows, where the caller has asked for none. */
const usualModel = 'spark-1-pro'

/** How an agent stands, read from its jobs. */
export async function readAgent(deps: AgentStatusDeps, row: JobRow) {
  const { request, threadId, threadTurn, warnings: known } = agentInput.read(row.input)
  const end = row.state === 'completed' ? await endOf(deps, row.id) : undefined
  const error = readError(row.error)
  const warnings = [...known, ...(end?.warnings ?? [])]
  const stopReason = row.state === 'cancelled' ? 'cancelled' : end?.stopReason
  return {
    status: shownState(row),
    ...(end ? resultOf(end) : {}),
    ...(error ? { error: error.error, code: error.code } : {}),
    ...(stopReason === undefined ? {} : { stopReason }),
    model: request.model ?? usualModel,
    ...(request.effort === undefined ? {} : { effort: request.effort }),
    ...{ mode: request.mode, threadId, threadTurn },
    expiresAt: new Date(row.created_at + deps.retentionHours * 3600_000).toISOString(),
    creditsUsed: await creditsOfChildren(deps.store.query, row.id),
    ...(warnings.length > 0 && row.finished_at !== null ? { warning: warnings.join(' ') } : {}),
  }
}

function resultOf({ data, message, sources, conflicts }: EndResult) {
  return {
    ...present({ data, message }),
    sources,
    // Written as the merge of pages made them.
    conflicts: conflicts as Conflicts,
  }
}

type Conflicts = { path: string; chosen: unknown; values: { value: unknown; sources: string[] }[] }[]

/** Clients know three states, and refuse a fourth: a run that was cancelled has failed. */
function shownState({ state }: Pick<JobRow, 'state'>): 'processing' | 'completed' | 'failed' {
  if (state === 'completed') return state
  return state === 'failed' || state === 'cancelled' ? 'failed' : 'processing'
}

const pageSize = 20

/** The runs of a team, newest first. */
export async function listAgents(
  { store }: Pick<PageReadDeps, 'store'>,
  team: Team,
  before: number | undefined,
) {
  const which = { teamId: team.id, kind: 'agent', before, limit: pageSize + 1 }
  const rows = await listCalls(store.query, which)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  const agents: ReturnType<typeof listed>[] = []
  for (const row of shown) {
    agents.push(listed(row))
    // A request of the largest size takes milliseconds to parse.
    await nextTurn()
  }
  return {
    agents,
    nextBefore: rows.length > pageSize && last ? last.created_at : undefined,
  }
}

function listed(row: JobRow) {
  const { request } = agentInput.read(row.input)
  return {
    id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    targetHint: row.target ?? '',
    origin: row.origin ?? 'api',
    ...(request.integration ? { integration: request.integration } : {}),
    settings: { hidden: false, starred: false },
    status: shownState(row),
    options: {
      ...{ urls: request.urls, prompt: request.prompt, model: request.model ?? usualModel },
      ...present({ schema: request.schema, effort: request.effort }),
    },
  }
}

import { AppError } from '../../platform/errors.ts'
import {
  type LeafRow,
  listHelperJobs,
  listLeaves,
  sumCreditsOfChildren,
} from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { jobText, type PageReadDeps } from '../multi-page/read-pages.ts'
import { present } from '../present.ts'
import { endOf } from './run.ts'
import { type EndResult, endKind, type StepResult, stepKind } from './stored.ts'
import { outcomeOf } from './threads.ts'

interface TraceEvent {
  type: string
  [field: string]: unknown
}

/** Returns the trace events of a run. They are derived from its jobs, so they always match the status. */
export async function readTrace(deps: PageReadDeps, row: JobRow) {
  const { id, created_at, finished_at } = row
  const { query } = deps.store
  const leaves = await listLeaves(query, id)
  const toEvent = (at: number, event: TraceEvent, sequence: number) => ({
    schemaVersion: 1 as const,
    eventId: `${id}-${sequence}`,
    runId: id,
    occurredAt: new Date(at).toISOString(),
    producerSequence: sequence,
    agent: { id, role: 'orchestrator' as const, name: 'agent' },
    ...event,
  })
  const events: ReturnType<typeof toEvent>[] = []
  const add = (at: number, added: TraceEvent[]) => {
    for (const event of added) events.push(toEvent(at, event, events.length + 1))
  }
  add(created_at, [{ type: 'run.started' }, { type: 'agent.started' }])
  for (const helper of await listHelperJobs(query, id))
    add(helper.finished_at ?? helper.created_at, await getHelperEvents(deps, helper, leaves))
  if (finished_at !== null) {
    const end = await endOf(deps, id)
    add(finished_at, createEndEvents(row, finished_at - created_at, end?.stopReason))
  }
  return { id, events, creditsUsed: await sumCreditsOfChildren(query, id) }
}

async function getHelperEvents(deps: PageReadDeps, helper: JobRow, leaves: LeafRow[]): Promise<TraceEvent[]> {
  if (helper.state === 'failed') return [{ type: 'error.occurred', error: createTraceError(helper) }]
  if (helper.state !== 'completed') return []
  if (helper.kind === stepKind) {
    const step = await jobText<StepResult>(deps, helper)
    return step ? getStepEvents(helper, step, leaves) : []
  }
  if (helper.kind !== endKind) return []
  const end = await jobText<EndResult>(deps, helper)
  const kind = end?.message === undefined ? 'json' : 'text'
  const artifact = { kind, artifactId: 'result', snapshotId: helper.id, change: 'init' }
  return [
    { type: 'progress.reported', phase: 'finalizing', message: 'The pages were joined.' },
    { type: 'artifact.updated', artifact },
  ]
}

function getStepEvents(helper: JobRow, step: StepResult, leaves: LeafRow[]): TraceEvent[] {
  const reasoning: TraceEvent[] = step.text === '' ? [] : [{ type: 'reasoning.summary', text: step.text }]
  const pages = [
    ...step.ordered.map(({ id, url }) => {
      const leaf = leaves.find((row) => row.id === id)
      const error = readError(leaf?.error ?? null)?.error
      return { url, state: leaf?.state ?? 'not paid for', ...present({ error }) }
    }),
    ...(step.refused ?? []).map(({ url, reason }) => ({ url, state: 'refused', error: reason })),
  ]
  if (step.action === 'plan') {
    const fields = Object.keys((step.schema?.properties as object | undefined) ?? {})
    const message = fields.length === 0 ? 'Planned.' : `Planned to read: ${fields.join(', ')}.`
    const plan = { type: 'progress.reported', phase: 'planning', message }
    const urls = step.ordered.map(({ url }) => url)
    return [plan, ...(pages.length === 0 ? [] : createCallEvents(helper.id, 'scrape', { urls }, pages))]
  }
  if (!step.call) return reasoning
  const { name } = step.call
  const result = name === 'scrape' || name === 'browse' ? pages : (step.observation ?? '')
  return [...reasoning, ...createCallEvents(helper.id, name, step.call.arguments, result)]
}

function createCallEvents(
  toolCallId: string,
  toolName: string,
  parameters: unknown,
  result: unknown,
): TraceEvent[] {
  return [
    { type: 'tool_call.started', toolCallId, toolName, parameters },
    { type: 'tool_call.finished', toolCallId, toolName, result },
  ]
}

function createTraceError(row: JobRow) {
  const error = readError(row.error)
  const code = row.state === 'cancelled' ? 'cancelled' : 'internal'
  return { code, source: 'agent', retryable: false, message: error?.error ?? '' }
}

function createEndEvents(row: JobRow, durationMs: number, stopReason: string | undefined): TraceEvent[] {
  const error = row.state === 'completed' ? null : createTraceError(row)
  return [
    ...(row.state === 'cancelled' ? [{ type: 'run.cancel_requested', reason: 'user' }] : []),
    { type: 'agent.finished', outcome: outcomeOf(row, undefined), durationMs, error },
    { type: 'run.finished', outcome: outcomeOf(row, stopReason), error },
  ]
}

export async function readSnapshot(deps: PageReadDeps, row: JobRow, snapshotId: string) {
  const helpers = await listHelperJobs(deps.store.query, row.id)
  const helper = helpers.find(({ id, kind }) => id === snapshotId.toLowerCase() && kind === endKind)
  const end = helper && (await jobText<EndResult>(deps, helper))
  if (!end) throw new AppError('JOB_NOT_FOUND')
  return { id: row.id, snapshotId, snapshot: end.message ?? JSON.stringify(end.data ?? null) }
}

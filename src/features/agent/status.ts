import type { Team } from '../../accounts/team.ts'
import { nextTurn } from '../../base/next-turn.ts'
import { creditsOfChildren, listCalls } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { ReadingNeeds } from '../gather/read-pages.ts'
import { endOf } from './run.ts'
import { agentInput, type EndResult } from './stored.ts'

export interface AgentStatusNeeds extends ReadingNeeds {
  retentionHours: number
}

/** A name that every client knows, where the caller has asked for none. */
const usualModel = 'spark-1-pro'

/** How an agent stands, read from its jobs. */
export async function readAgent(needs: AgentStatusNeeds, row: JobRow) {
  const { request, threadId, threadTurn, warnings: known } = agentInput.read(row.input)
  const end = row.state === 'completed' ? await endOf(needs, row.id) : undefined
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
    expiresAt: new Date(row.created_at + needs.retentionHours * 3600_000).toISOString(),
    creditsUsed: await creditsOfChildren(needs.store.query, row.id),
    ...(warnings.length > 0 && row.finished_at !== null ? { warning: warnings.join(' ') } : {}),
  }
}

function resultOf({ data, message, sources, conflicts }: EndResult) {
  return {
    ...(data === undefined ? {} : { data }),
    ...(message === undefined ? {} : { message }),
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
  { store }: Pick<ReadingNeeds, 'store'>,
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
      ...(request.schema === undefined ? {} : { schema: request.schema }),
      ...(request.effort === undefined ? {} : { effort: request.effort }),
    },
  }
}

import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { listCalls, sumCreditsOfChildren } from '../../store/jobs/child-jobs.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import type { PageReadDeps } from '../multi-page/read-pages.ts'
import { isoOrNull, present } from '../present.ts'
import { type AgentRun, endOf } from './run.ts'
import { agentInput } from './stored.ts'

export const maxRunsPerThread = 50

export type ThreadRun = Pick<AgentRun, 'row' | 'input'>

export async function runsOfThread(
  { store }: Pick<PageReadDeps, 'store'>,
  teamId: string,
  threadId: string,
): Promise<ThreadRun[]> {
  if (!isUuid(threadId)) throw new AppError('INVALID_JOB_ID')
  const id = threadId.toLowerCase()
  const inputHas = `"threadId":"${id}"`
  const query = { teamId, kind: 'agent', before: undefined, limit: 2 * maxRunsPerThread, inputHas }
  const rows = await listCalls(store.query, query)
  return rows
    .map((row) => ({ row, input: agentInput.read(row.input) }))
    .filter(({ input }) => input.threadId === id)
    .reverse()
}

const maxHistoryRuns = 5
const maxResultChars = 2000

export async function earlierRuns(deps: PageReadDeps, { row, input }: AgentRun): Promise<ThreadRun[]> {
  if (input.threadTurn === 1) return []
  const runs = await runsOfThread(deps, row.team_id, input.threadId)
  return runs.filter((run) => run.input.threadTurn < input.threadTurn)
}

export async function threadHistory(deps: PageReadDeps, earlier: ThreadRun[]): Promise<string> {
  const parts: string[] = []
  for (const { row, input } of earlier.slice(-maxHistoryRuns)) {
    const end = await endOf(deps, row.id)
    const result = end?.message ?? (end?.data === undefined ? 'nothing' : JSON.stringify(end.data))
    parts.push(`Asked: ${input.request.prompt}\nFound: ${result.slice(0, maxResultChars)}`)
  }
  return parts.join('\n\n')
}

export async function readThread(
  deps: PageReadDeps,
  team: Team,
  { id, includeData }: { id: string; includeData: boolean },
) {
  const runs = await runsOfThread(deps, team.id, id)
  const [first] = runs
  const last = runs.at(-1)
  if (!first || !last) throw new AppError('JOB_NOT_FOUND')
  const isRunning = runs.some(({ row }) => row.finished_at === null)
  return {
    id: first.input.threadId,
    createdAt: new Date(first.row.created_at).toISOString(),
    updatedAt: new Date(last.row.finished_at ?? last.row.created_at).toISOString(),
    status: isRunning ? ('running' as const) : ('idle' as const),
    runs: await Promise.all(runs.map((run) => toRunResponse(deps, run, includeData))),
  }
}

async function toRunResponse(deps: PageReadDeps, { row, input }: ThreadRun, includeData: boolean) {
  const { request, threadTurn } = input
  const end = await endOf(deps, row.id)
  return {
    ...{ id: row.id, turn: threadTurn, mode: request.mode, prompt: request.prompt, urls: request.urls },
    ...present({ schema: request.schema, effort: request.effort }),
    status: outcomeOf(row, end?.stopReason),
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: isoOrNull(row.finished_at),
    creditsUsed: await sumCreditsOfChildren(deps.store.query, row.id),
    message: end?.message ?? null,
    ...(includeData && end?.data !== undefined ? { data: end.data } : {}),
  }
}

export function outcomeOf({ state }: Pick<JobRow, 'state'>, stopReason: string | undefined) {
  if (state === 'completed')
    return stopReason === 'credit_limit_reached' ? ('credit_limit_reached' as const) : ('succeeded' as const)
  return state === 'failed' || state === 'cancelled' ? state : ('processing' as const)
}

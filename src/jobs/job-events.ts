import type { JobRow, JobState } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'

/** What the watchers of a team receive, in any process. */
type JobNews =
  /** A job that a call made has started or ended. */
  | { type: 'job'; job: JobEvent }
  /** A page of a job of many pages has ended. */
  | { type: 'page'; parentId: string }

export interface JobEvent {
  id: string
  kind: string
  parentId: string | null
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  target: string | null
  /** When, in milliseconds. */
  at: number
  code?: string
}

/** A message of the database holds 8 KB, and a character may take six bytes of it. */
const longestTarget = 1000

type ToldRow = Pick<JobRow, 'id' | 'team_id' | 'parent_id' | 'kind' | 'target' | 'takes_slot' | 'retain'>

/** Tells the watchers of the team that a job has started or ended; costs nothing where there are none. */
export function publishJobChange(
  store: Pick<Store, 'publish'>,
  row: ToldRow,
  change: { state: JobState; at: number; code?: string | undefined },
): void {
  const { state, at, code } = change
  if (state === 'held' || state === 'queued') return
  store.publish(jobEventsTopic(row.team_id), () => {
    const target = row.retain === 1 ? (row.target?.slice(0, longestTarget) ?? null) : null
    const { id, kind, parent_id: parentId } = row
    const job = { id, kind, parentId, state, target, at, ...(code === undefined ? {} : { code }) }
    return JSON.stringify({ type: 'job', job } satisfies JobNews)
  })
}

/** Tells of the end of a job: of a page of many, no more than that there was one. */
export function publishJobEnd(
  store: Pick<Store, 'publish'>,
  row: ToldRow,
  end: { state: JobState; at: number; code?: string | undefined },
): void {
  const { parent_id: parentId } = row
  if (parentId === null) publishJobChange(store, row, end)
  else if (row.takes_slot === 1)
    store.publish(jobEventsTopic(row.team_id), () =>
      JSON.stringify({ type: 'page', parentId } satisfies JobNews),
    )
}

export const jobEventsTopic = (teamId: string) => `jobs:${teamId}`

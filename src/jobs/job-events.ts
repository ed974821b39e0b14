import type { JobRow, JobState } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'

type JobMessage = { type: 'job'; job: JobEvent } | { type: 'page'; parentId: string }

export interface JobEvent {
  id: string
  kind: string
  parentId: string | null
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  target: string | null
  at: number
  code?: string
}

/** A database notification has at most 8 KB, and a character may take six bytes. */
const maxTargetLength = 1000

type PublishedRow = Pick<JobRow, 'id' | 'team_id' | 'parent_id' | 'kind' | 'target' | 'takes_slot' | 'retain'>

export function publishJobChange(
  store: Pick<Store, 'publish'>,
  row: PublishedRow,
  change: { state: JobState; at: number; code?: string | undefined },
): void {
  const { state, at, code } = change
  if (state === 'held' || state === 'queued') return
  store.publish(jobEventsTopic(row.team_id), () => {
    const target = row.retain === 1 ? (row.target?.slice(0, maxTargetLength) ?? null) : null
    const { id, kind, parent_id: parentId } = row
    const job = { id, kind, parentId, state, target, at, ...(code === undefined ? {} : { code }) }
    return JSON.stringify({ type: 'job', job } satisfies JobMessage)
  })
}

export function publishJobEnd(
  store: Pick<Store, 'publish'>,
  row: PublishedRow,
  end: { state: JobState; at: number; code?: string | undefined },
): void {
  const { parent_id: parentId } = row
  if (parentId === null) publishJobChange(store, row, end)
  else if (row.takes_slot === 1)
    store.publish(jobEventsTopic(row.team_id), () =>
      JSON.stringify({ type: 'page', parentId } satisfies JobMessage),
    )
}

export const jobEventsTopic = (teamId: string) => `jobs:${teamId}`

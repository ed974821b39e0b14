import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { isUuid } from '../base/ids.ts'
import { listActivity } from '../store/activity.ts'
import { readError } from '../store/job-errors.ts'
import type { JobState } from '../store/jobs.ts'
import type { Store } from '../store/schema.ts'

const day = 24 * 3600_000

/** States as callers know them: a job that waits for anything is queued. */
const statesIn = {
  queued: ['held', 'queued'],
  running: ['running'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly JobState[]>

export type ShownState = keyof typeof statesIn

export const shownStates = Object.keys(statesIn) as [ShownState, ...ShownState[]]

/** The team's calls of the last day, newest first, by cursor. */
export async function listTeamActivity(
  needs: { store: Store; clock: Clock },
  team: Team,
  page: {
    endpoint?: string | undefined
    state?: ShownState | undefined
    limit: number
    cursor?: string | undefined
  },
) {
  const rows = await listActivity(needs.store.query, {
    teamId: team.id,
    kind: page.endpoint,
    states: page.state && statesIn[page.state],
    since: needs.clock.now() - day,
    before: page.cursor === undefined ? undefined : readCursor(page.cursor),
    limit: page.limit + 1,
  })
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const hasMore = rows.length > page.limit
  return {
    data: shown.map((row) => {
      const code = readError(row.error)?.code
      return {
        id: row.id,
        endpoint: row.kind,
        api_version: 'v2',
        created_at: new Date(row.created_at).toISOString(),
        target: row.target,
        state: row.state === 'held' ? ('queued' as const) : row.state,
        ...(code === undefined ? {} : { code }),
      }
    }),
    cursor: hasMore && last ? writeCursor(last.created_at, last.id) : null,
    has_more: hasMore,
  }
}

function writeCursor(createdAt: number, id: string): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url')
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id }
  const message = 'The cursor is not valid. Start again without it.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { isUuid } from '../base/ids.ts'
import { listActivity } from '../store/activity.ts'
import type { Store } from '../store/schema.ts'

const day = 24 * 3600_000

/** The team's calls of the last day, newest first, by cursor. */
export async function listTeamActivity(
  needs: { store: Store; clock: Clock },
  team: Team,
  page: { endpoint?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listActivity(needs.store.query, {
    teamId: team.id,
    kind: page.endpoint,
    since: needs.clock.now() - day,
    before: page.cursor === undefined ? undefined : readCursor(page.cursor),
    limit: page.limit + 1,
  })
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const hasMore = rows.length > page.limit
  return {
    data: shown.map((row) => ({
      id: row.id,
      endpoint: row.kind,
      api_version: 'v2',
      created_at: new Date(row.created_at).toISOString(),
      target: row.target,
    })),
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

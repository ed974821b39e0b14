import { issueKey, withdrawKey } from '../../accounts/keys.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { listKeys } from '../../store/keys.ts'
import type { KeyRow, Store } from '../../store/schema.ts'
import { findTeam } from '../../store/teams.ts'
import type { NewKey, Page, ShownKey } from './schema.ts'

export interface KeyNeeds {
  store: Store
  clock: Clock
}

export async function keysOf({ store }: KeyNeeds, page: Page & { teamId?: string | undefined }) {
  const { limit, cursor: after, teamId } = page
  const rows = await listKeys(store.query, { after, teamId, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  return {
    keys: shown.map((row) => shownKey(row, row.team)),
    cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

export function makeKey({ store, clock }: KeyNeeds, { teamId, operator }: NewKey) {
  return store.transaction(async (transaction) => {
    const team = await findTeam(transaction, teamId)
    if (!team) throw new AppError('TEAM_NOT_FOUND')
    const { key, row } = await issueKey(transaction, { teamId, isOperator: operator, now: clock.now() })
    return { key, shown: shownKey(row, team.name) }
  })
}

export function revokeKeyOf({ store, clock }: KeyNeeds, id: string): Promise<void> {
  return withdrawKey(store, id, clock.now())
}

function shownKey(row: KeyRow, teamName: string): ShownKey {
  return {
    id: row.id,
    hint: row.hint,
    team: { id: row.team_id, name: teamName },
    isOperator: row.is_operator === 1,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: momentOf(row.last_used_at),
    revokedAt: momentOf(row.revoked_at),
  }
}

const momentOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())

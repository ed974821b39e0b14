import { randomBytes } from 'node:crypto'
import { AppError } from '../platform/errors.ts'
import { appendEntries, type LedgerEntry, limitTeam, unlimitTeam } from '../store/credits.ts'
import { lockTeam } from '../store/locks.ts'
import type { Queryable, Store, TeamRow } from '../store/schema.ts'
import { addTeamRemoval } from '../store/search-pending.ts'
import { changeTeam, createTeam, type TeamChange } from '../store/teams.ts'

/** Creates a team with its first credits; undefined means unlimited credits. Call it inside a transaction. */
export async function insertTeamWithCredits(
  query: Queryable,
  { name, credits, now }: { name: string; credits: number | undefined; now: number },
): Promise<TeamRow> {
  const team = await createTeam(query, { name, balance: credits === undefined ? null : 0, now })
  if (credits !== undefined) await grant(query, { teamId: team.id, credits, reason: 'first grant', now })
  return team
}

export interface AccountChange extends TeamChange {
  /** Credits to add. A team without a limit has one afterwards. */
  credits?: number
  /** True for unlimited credits; false limits the team to its granted credits. */
  unlimited?: boolean
}

export async function changeAccount(
  store: Store,
  teamId: string,
  { credits, unlimited, now, ...change }: AccountChange & { now: number },
): Promise<void> {
  const isSearchEnded = change.search_index === 0
  await store.transaction(async (transaction) => {
    const team = await lockTeam(store, transaction, teamId)
    if (!team) throw new AppError('TEAM_NOT_FOUND')
    const isLimited = credits !== undefined || unlimited === false
    if (isLimited && team.balance === null) await limitTeam(store, transaction, { teamId, now })
    if (credits !== undefined) await grant(transaction, { teamId, credits, reason: 'grant', now })
    if (unlimited) await unlimitTeam(transaction, teamId)
    if (Object.keys(change).length > 0) await changeTeam(transaction, teamId, change)
    if (isSearchEnded) await addTeamRemoval(transaction, teamId, now)
  })
  if (isSearchEnded) store.notify('indexing', '')
}

export const createWebhookSecret = (): string => randomBytes(24).toString('base64url')

function grant(query: Queryable, entry: Omit<LedgerEntry, 'keyId' | 'jobId'>): Promise<void> {
  return appendEntries(query, [{ ...entry, keyId: null, jobId: null }])
}

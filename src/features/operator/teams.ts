import { setImmediate as nextTurn } from 'node:timers/promises'
import { teamOf } from '../../accounts/authenticate.ts'
import { issueKey } from '../../accounts/keys.ts'
import type { Team } from '../../accounts/team.ts'
import { changeAccount, createWebhookSecret, insertTeamWithCredits } from '../../accounts/team-account.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import { sumChargesSince } from '../../store/jobs/daily-usage.ts'
import { countOperatorKeys, listKeys } from '../../store/keys.ts'
import { lockOperatorKeys } from '../../store/locks.ts'
import type { KeyRow } from '../../store/schema.ts'
import { getSigningSecret } from '../../store/secrets.ts'
import { listSessions } from '../../store/sessions.ts'
import {
  changeTeam,
  findTeam,
  findTeamByName,
  listActiveCalls,
  listTeams,
  markTeamDeleted,
  revokeKeysOfTeam,
  type TeamChange,
} from '../../store/teams.ts'
import type { Deps } from '../needs.ts'
import { isoOrNull, pageOf, present } from '../present.ts'
import type { KeyResponse, NewKey, NewTeam, Page, TeamChanges, TeamResponse } from './schema.ts'

type TeamDeps = Pick<Deps, 'store' | 'clock' | 'teamConcurrency' | 'teamCredits' | 'webhookSecret'>

const usagePeriodMs = 30 * 24 * 3600_000

export async function listTeamAccounts(deps: TeamDeps, { limit, cursor: after }: Page) {
  const { shown, cursor } = pageOf(await listTeams(deps.store.query, { after, limit: limit + 1 }), limit)
  const teams: TeamResponse[] = []
  for (const row of shown) {
    teams.push(await toTeamResponse(row, deps))
    // Summing up the charges of a busy team takes a while, so yield after each team.
    await nextTurn()
  }
  return { teams, cursor }
}

export async function createTeamAccount(deps: TeamDeps, request: NewTeam): Promise<TeamResponse> {
  const { store } = deps
  const { name, unlimited } = request
  const defaultCredits = deps.teamCredits ?? (unlimited === false ? 0 : undefined)
  const credits = unlimited ? undefined : (request.credits ?? defaultCredits)
  try {
    const { id } = await store.transaction(async (transaction) => {
      const team = await insertTeamWithCredits(transaction, { name, credits, now: deps.clock.now() })
      const change = toColumns(request)
      if (Object.keys(change).length > 0) await changeTeam(transaction, team.id, change)
      return team
    })
    return await getTeam(deps, id)
  } catch (thrown) {
    // Names are unique in the store, so one of two concurrent calls fails here.
    if (await findTeamByName(store.query, name)) throw new AppError('TEAM_NAME_TAKEN')
    throw thrown
  }
}

/** Updates a team. A new webhook secret is returned only here and cannot be read again. */
export async function updateTeamAccount(
  deps: TeamDeps,
  id: string,
  { credits, unlimited, webhookSecret, ...rest }: TeamChanges,
): Promise<{ team: TeamResponse; webhookSecret?: string }> {
  const newSecret = webhookSecret === 'new' ? createWebhookSecret() : undefined
  await changeAccount(deps.store, id, {
    ...toColumns(rest),
    ...(webhookSecret === undefined ? {} : { webhook_secret: newSecret ?? null }),
    ...present({ credits, unlimited }),
    now: deps.clock.now(),
  })
  return { team: await getTeam(deps, id), ...present({ webhookSecret: newSecret }) }
}

function toColumns(changes: Omit<TeamChanges, 'webhookSecret'>): TeamChange {
  const { concurrency, zeroDataRetention, searchIndex } = changes
  const toColumn = (flag: boolean | undefined) => (flag === undefined ? undefined : Number(flag))
  return present({
    ...{ concurrency, zero_retention: toColumn(zeroDataRetention), search_index: toColumn(searchIndex) },
  })
}

async function getTeam(deps: TeamDeps, id: string): Promise<TeamResponse> {
  const [row] = await listTeams(deps.store.query, { id, limit: 1 })
  if (!row) throw new AppError('TEAM_NOT_FOUND')
  return toTeamResponse(row, deps)
}

type ListedTeam = Awaited<ReturnType<typeof listTeams>>[number]

async function toTeamResponse(row: ListedTeam, deps: TeamDeps): Promise<TeamResponse> {
  const since = deps.clock.now() - usagePeriodMs
  return {
    id: row.id,
    name: row.name,
    balance: row.balance,
    unlimited: row.balance === null,
    concurrency: row.concurrency ?? deps.teamConcurrency,
    hasDefaultConcurrency: row.concurrency === null,
    zeroDataRetention: row.zero_retention === 1,
    searchIndex: row.search_index === 1,
    signsWebhooks: row.webhook_secret !== null,
    derivedWebhookSecret: await findDerivedSecret(row, deps),
    keys: row.keys,
    creditsUsed: await sumChargesSince(deps.store.query, row.id, since),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

async function findDerivedSecret(row: ListedTeam, { store, webhookSecret }: TeamDeps) {
  if (row.webhook_secret !== null) return null
  const signing = await getSigningSecret(store.query, row.id, webhookSecret)
  // The first team signs with WEBHOOK_SECRET itself, which only the operator's settings contain.
  return signing?.source === 'derived' ? signing.secret : null
}

type KeyDeps = Pick<Deps, 'store' | 'clock'>

export async function listTeamKeys({ store }: KeyDeps, page: Page & { teamId?: string | undefined }) {
  const { limit, cursor: after, teamId } = page
  const rows = await listKeys(store.query, { after, teamId, limit: limit + 1 })
  const { shown, cursor } = pageOf(rows, limit)
  return { keys: shown.map((row) => toKeyResponse(row, row.team)), cursor }
}

export function createTeamKey({ store, clock }: KeyDeps, { teamId, operator }: NewKey) {
  return store.transaction(async (transaction) => {
    const team = await findTeam(transaction, teamId)
    if (!team) throw new AppError('TEAM_NOT_FOUND')
    const { key, row } = await issueKey(transaction, { teamId, isOperator: operator, now: clock.now() })
    return { key, shown: toKeyResponse(row, team.name) }
  })
}

function toKeyResponse(row: KeyRow, teamName: string): KeyResponse {
  return {
    id: row.id,
    hint: row.hint,
    team: { id: row.team_id, name: teamName },
    isOperator: row.is_operator === 1,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: isoOrNull(row.last_used_at),
    revokedAt: isoOrNull(row.revoked_at),
  }
}

interface DeleteTeamDeps extends Pick<Deps, 'store' | 'clock' | 'teamConcurrency'> {
  queue: Pick<Queue, 'cancel'>
  endSession: (team: Team, id: string) => Promise<unknown>
}

/** A team cannot have more open sessions. */
const maxSessions = 1000
/** Other kinds of jobs end at their own deadline. */
const cancellableKinds = ['crawl', 'batch_scrape', 'extract', 'agent']

/** Revokes the keys first, so that no new work starts. A call that was interrupted can be repeated. */
export async function deleteTeam(deps: DeleteTeamDeps, id: string): Promise<void> {
  const { store, clock } = deps
  const row = await store.transaction(async (transaction) => {
    await lockOperatorKeys(store, transaction)
    const team = await findTeam(transaction, id)
    if (!team) throw new AppError('TEAM_NOT_FOUND')
    await revokeKeysOfTeam(transaction, id, clock.now())
    // Throw inside the transaction, so that no key is revoked.
    if ((await countOperatorKeys(transaction)) === 0) throw new AppError('LAST_OPERATOR_KEY')
    return team
  })
  await cancelCalls(deps, id)
  const team = teamOf(row, { id: null, isOperator: false }, deps.teamConcurrency)
  const sessions = await listSessions(store.query, { teamId: id, status: 'active', limit: maxSessions })
  // A session that cannot be reached ends at its own timeout.
  await Promise.allSettled(sessions.map((session) => deps.endSession(team, session.id)))
  await markTeamDeleted(store.query, id, clock.now())
}

async function cancelCalls({ store, queue }: DeleteTeamDeps, id: string): Promise<void> {
  for (;;) {
    const rows = await listActiveCalls(store.query, id, cancellableKinds)
    if (rows.length === 0) return
    for (const row of rows) {
      await queue.cancel(row).catch((thrown) => {
        if (!(thrown instanceof AppError && thrown.code === 'JOB_ALREADY_ENDED')) throw thrown
      })
    }
  }
}

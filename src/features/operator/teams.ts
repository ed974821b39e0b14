import { setImmediate as nextTurn } from 'node:timers/promises'
import { teamOf } from '../../accounts/authenticate.ts'
import { issueKey, withdrawKey } from '../../accounts/keys.ts'
import type { Team } from '../../accounts/team.ts'
import { changeAccount, newWebhookSecret, openTeam } from '../../accounts/team-account.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import { chargedSince } from '../../store/jobs/daily-usage.ts'
import { countOperatorKeys, listKeys } from '../../store/keys.ts'
import { lockOperatorKeys } from '../../store/locks.ts'
import type { KeyRow, TeamRow } from '../../store/schema.ts'
import { signingSecret } from '../../store/secrets.ts'
import { listSessions } from '../../store/sessions.ts'
import {
  changeTeam,
  findTeam,
  findTeamByName,
  listTeams,
  livingCalls,
  markTeamDeleted,
  revokeKeysOfTeam,
  type TeamChange,
} from '../../store/teams.ts'
import type { Needs } from '../needs.ts'
import { isoOrNull, pageOf, present } from '../present.ts'
import type { NewKey, NewTeam, Page, ShownKey, ShownTeam, TeamChanges } from './schema.ts'

export type TeamNeeds = Pick<Needs, 'store' | 'clock' | 'teamConcurrency' | 'teamCredits' | 'webhookSecret'>

const day = 24 * 3600_000
const usedDays = 30

export async function teamsOf(needs: TeamNeeds, { limit, cursor: after }: Page) {
  // One more than is shown says whether there are others.
  const rows = await listTeams(needs.store.query, { after, limit: limit + 1 })
  const teams: ShownTeam[] = []
  for (const row of rows.slice(0, limit)) {
    teams.push(await shownTeam(row, needs))
    // What busy teams were charged takes a while to add up.
    await nextTurn()
  }
  return { teams, cursor: rows.length > limit ? (teams.at(-1)?.id ?? null) : null }
}

export async function makeTeam(needs: TeamNeeds, wanted: NewTeam): Promise<ShownTeam> {
  const { store } = needs
  const { name, unlimited } = wanted
  const credits = unlimited ? undefined : (wanted.credits ?? needs.teamCredits ?? noneIf(unlimited))
  try {
    const { id } = await store.transaction(async (transaction) => {
      const team = await openTeam(transaction, { name, credits, now: needs.clock.now() })
      const change = columnsOf(wanted)
      if (Object.keys(change).length > 0) await changeTeam(transaction, team.id, change)
      return team
    })
    return await oneTeam(needs, id)
  } catch (thrown) {
    // Names are unique in the store, so of two calls at once one comes here.
    if (await findTeamByName(store.query, name)) throw new AppError('TEAM_NAME_TAKEN')
    throw thrown
  }
}

/** A secret that was made is in the answer, and nowhere else. */
export async function changeTeamOf(
  needs: TeamNeeds,
  id: string,
  { credits, unlimited, webhookSecret, ...rest }: TeamChanges,
): Promise<{ team: ShownTeam; webhookSecret?: string }> {
  const made = webhookSecret === 'new' ? newWebhookSecret() : undefined
  await changeAccount(needs.store, id, {
    ...columnsOf(rest),
    ...(webhookSecret === undefined ? {} : { webhook_secret: made ?? null }),
    ...present({ credits, unlimited }),
    now: needs.clock.now(),
  })
  const team = await oneTeam(needs, id)
  return { team, ...(made === undefined ? {} : { webhookSecret: made }) }
}

/** A team that is said to have a limit, and no credits, has none. */
const noneIf = (unlimited: boolean | undefined) => (unlimited === false ? 0 : undefined)

function columnsOf({
  concurrency,
  zeroDataRetention,
  searchIndex,
}: Omit<TeamChanges, 'webhookSecret'>): TeamChange {
  return {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(zeroDataRetention === undefined ? {} : { zero_retention: zeroDataRetention ? 1 : 0 }),
    ...(searchIndex === undefined ? {} : { search_index: searchIndex ? 1 : 0 }),
  }
}

async function oneTeam(needs: TeamNeeds, id: string): Promise<ShownTeam> {
  const [row] = await listTeams(needs.store.query, { id, limit: 1 })
  if (!row) throw new AppError('TEAM_NOT_FOUND')
  return shownTeam(row, needs)
}

type ListedTeam = Awaited<ReturnType<typeof listTeams>>[number]

async function shownTeam(row: ListedTeam, needs: TeamNeeds): Promise<ShownTeam> {
  const since = needs.clock.now() - usedDays * day
  return {
    id: row.id,
    name: row.name,
    balance: row.balance,
    unlimited: row.balance === null,
    concurrency: row.concurrency ?? needs.teamConcurrency,
    hasDefaultConcurrency: row.concurrency === null,
    zeroDataRetention: row.zero_retention === 1,
    searchIndex: row.search_index === 1,
    signsWebhooks: row.webhook_secret !== null,
    derivedWebhookSecret: await derivedSecretOf(row, needs),
    keys: Number(row.keys),
    creditsUsed: await chargedSince(needs.store.query, row.id, since),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

async function derivedSecretOf(row: ListedTeam, { store, webhookSecret }: TeamNeeds): Promise<string | null> {
  if (row.webhook_secret !== null) return null
  const signing = await signingSecret(store.query, row.id, webhookSecret)
  // The first team is signed with WEBHOOK_SECRET itself, which only the operator's settings contain.
  return signing?.source === 'derived' ? signing.secret : null
}

export type KeyNeeds = Pick<Needs, 'store' | 'clock'>

export async function keysOf({ store }: KeyNeeds, page: Page & { teamId?: string | undefined }) {
  const { limit, cursor: after, teamId } = page
  const rows = await listKeys(store.query, { after, teamId, limit: limit + 1 })
  const { shown, cursor } = pageOf(rows, limit)
  return { keys: shown.map((row) => shownKey(row, row.team)), cursor }
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
    lastUsedAt: isoOrNull(row.last_used_at),
    revokedAt: isoOrNull(row.revoked_at),
  }
}

export interface DeleteTeamNeeds extends Pick<Needs, 'store' | 'clock' | 'teamConcurrency'> {
  queue: Pick<Queue, 'cancel'>
  endSession: (team: Team, id: string) => Promise<unknown>
}

/** No team may have as many open. */
const mostSessions = 1000
/** Jobs that can be cancelled; the others end by their own deadline. */
const cancellable = ['crawl', 'batch_scrape', 'extract', 'agent']

/**
 * Ends a team: its keys first, so that nothing new begins; then what it has under way; then the team itself. A caller that
 * is interrupted in between can call again. The rows and blobs are left to the sweeper.
 */
export async function deleteTeam(needs: DeleteTeamNeeds, id: string): Promise<void> {
  const { store, clock } = needs
  const row = await store.transaction(async (transaction) => {
    await lockOperatorKeys(store, transaction)
    const found = await findTeam(transaction, id)
    if (!found) throw new AppError('TEAM_NOT_FOUND')
    await revokeKeysOfTeam(transaction, id, clock.now())
    // Thrown inside the transaction: nothing is revoked then.
    if ((await countOperatorKeys(transaction)) === 0) throw new AppError('LAST_OPERATOR_KEY')
    return found
  })
  await cancelCalls(needs, id)
  await endSessions(needs, row)
  await markTeamDeleted(store.query, id, clock.now())
}

async function cancelCalls({ store, queue }: DeleteTeamNeeds, id: string): Promise<void> {
  for (let rows = await livingCalls(store.query, id, cancellable); rows.length > 0; ) {
    for (const row of rows) {
      await queue.cancel(row).catch((thrown) => {
        if (!(thrown instanceof AppError && thrown.code === 'JOB_ALREADY_ENDED')) throw thrown
      })
    }
    rows = await livingCalls(store.query, id, cancellable)
  }
}

/** A session that cannot be reached ends by its own clock. */
async function endSessions(
  { store, endSession, teamConcurrency }: DeleteTeamNeeds,
  row: TeamRow,
): Promise<void> {
  const team = teamOf(row, { id: null, isOperator: false }, teamConcurrency)
  const open = await listSessions(store.query, { teamId: row.id, status: 'active', most: mostSessions })
  await Promise.allSettled(open.map(({ id }) => endSession(team, id)))
}

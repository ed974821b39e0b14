import { setImmediate as nextTurn } from 'node:timers/promises'
import { changeAccount, newWebhookSecret, openTeam } from '../../accounts/team-account.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { listTeams } from '../../store/account-lists.ts'
import { chargedSince } from '../../store/daily-usage.ts'
import type { Store } from '../../store/schema.ts'
import { signingSecret } from '../../store/signing-secret.ts'
import { changeTeam, findTeamByName, type TeamChange } from '../../store/teams.ts'
import type { NewTeam, Page, ShownTeam, TeamChanges } from './schema.ts'

export interface TeamNeeds {
  store: Store
  clock: Clock
  /** Slots of teams that have no number of their own. */
  teamConcurrency: number
  /** What a new team starts with; undefined: no limit. */
  teamCredits: number | undefined
  /** WEBHOOK_SECRET. */
  webhookSecret: string | undefined
}

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
    ...(credits === undefined ? {} : { credits }),
    ...(unlimited === undefined ? {} : { unlimited }),
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

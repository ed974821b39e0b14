import { type Insertable, sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { prepared } from './prepared.ts'
import type { Queryable, Store, Tables } from './schema.ts'

export interface LedgerEntry {
  teamId: string
  keyId: string | null
  jobId: string | null
  credits: number
  reason: string
  now: number
}

/** Also updates the balances, so call it inside a transaction. A job that has an entry gets no second one. */
export async function appendEntries(query: Queryable, entries: LedgerEntry[]): Promise<void> {
  const sums = new Map<string, number>()
  for (const { team_id, credits } of await insertEntries(query, entries))
    sums.set(team_id, (sums.get(team_id) ?? 0) + credits)
  // All transactions update teams in the same order, which prevents deadlocks.
  for (const [teamId, credits] of [...sums].sort(([left], [right]) => (left < right ? -1 : 1))) {
    await addToBalance(query, { teamId, credits })
  }
}

type LedgerRow = Insertable<Tables['ledger']>

async function insertEntries(query: Queryable, entries: LedgerEntry[]) {
  const rows = entries.map((entry) => ({
    id: newId(),
    team_id: entry.teamId,
    key_id: entry.keyId,
    job_id: entry.jobId,
    credits: entry.credits,
    reason: entry.reason,
    created_at: entry.now,
  }))
  const [first] = rows
  // Most calls append one entry.
  if (first && rows.length === 1) return (await appendOne(query, first)).rows
  return query
    .insertInto('ledger')
    .values(rows)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .returning(['team_id', 'credits'])
    .execute()
}

const appendOne = prepared<LedgerRow, { team_id: string; credits: number }>((query, value) =>
  query
    .insertInto('ledger')
    .values({
      id: value('id'),
      team_id: value('team_id'),
      key_id: value('key_id'),
      job_id: value('job_id'),
      credits: value('credits'),
      reason: value('reason'),
      created_at: value('created_at'),
    })
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .returning(['team_id', 'credits']),
)

const addToBalance = prepared<{ teamId: string; credits: number }>((query, value) =>
  query
    .updateTable('teams')
    .set({ balance: sql`balance + ${value('credits')}` })
    .where('id', '=', value('teamId'))
    .where('balance', 'is not', null),
)

/** A separate entry writes off previous charges, so that the balance is still the sum of the ledger. */
export async function limitTeam(
  store: Pick<Store, 'isShared'>,
  query: Queryable,
  { teamId, now }: { teamId: string; now: number },
): Promise<void> {
  // Waits for charges in progress, which would otherwise be in the ledger but not in the sum.
  if (store.isShared) await sql`lock table ledger in share row exclusive mode`.execute(query)
  const { total } = await query
    .selectFrom('ledger')
    .select(sql<number>`coalesce(sum(credits), 0)`.as('total'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  const opening = { credits: -Number(total), reason: 'opening balance', now }
  await insertEntries(query, [{ teamId, keyId: null, jobId: null, ...opening }])
  await query.updateTable('teams').set({ balance: 0 }).where('id', '=', teamId).execute()
}

/** Removes the limit of a team. The ledger is still updated, so that a later limit can start from its sum. */
export async function unlimitTeam(query: Queryable, teamId: string): Promise<void> {
  await query.updateTable('teams').set({ balance: null }).where('id', '=', teamId).execute()
}

export function sumChargesByDay(query: Queryable, teamId: string, since: number) {
  return query
    .selectFrom('ledger')
    .leftJoin('keys', 'keys.id', 'ledger.key_id')
    .select((column) => [
      sql<number>`ledger.created_at / 86400000`.as('day'),
      'keys.hint as key',
      sql<number>`-sum(${column.ref('ledger.credits')})`.as('credits'),
    ])
    .where('ledger.team_id', '=', teamId)
    .where('ledger.job_id', 'is not', null)
    .where('ledger.created_at', '>=', since)
    .groupBy(['day', 'key'])
    .orderBy('day')
    .execute()
}

export async function getBalance(query: Queryable, teamId: string): Promise<number | null> {
  const row = await query.selectFrom('teams').select('balance').where('id', '=', teamId).executeTakeFirst()
  return row?.balance ?? null
}

export async function sumGrants(query: Queryable, teamId: string): Promise<number> {
  const row = await query
    .selectFrom('ledger')
    .select(sql<number>`coalesce(sum(credits), 0)`.as('granted'))
    .where('team_id', '=', teamId)
    .where('job_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.granted)
}

export function findWrongBalances(query: Queryable) {
  return query
    .selectFrom('teams')
    .select(['teams.name', 'teams.balance'])
    .where('teams.balance', 'is not', null)
    .where(
      'teams.balance',
      '!=',
      sql<number>`(select coalesce(sum(credits), 0) from ledger where team_id = teams.id)`,
    )
    .execute()
}

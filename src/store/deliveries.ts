import { sql } from 'kysely'
import { hasValues, listWaitingTeams } from './prepared.ts'
import { readInSteps, rowsPerStep } from './read-in-steps.ts'
import type { DeliveryRow, Queryable, Store, WebhookRow } from './schema.ts'

export type { DeliveryRow, WebhookRow } from './schema.ts'

export async function insertWebhook(query: Queryable, webhook: WebhookRow): Promise<void> {
  await query.insertInto('webhooks').values(webhook).execute()
}

export function findWebhooks(query: Queryable, jobIds: string[]): Promise<WebhookRow[]> {
  if (jobIds.length === 0) return Promise.resolve([])
  return query.selectFrom('webhooks').selectAll().where('job_id', 'in', jobIds).execute()
}

export async function insertDeliveries(query: Queryable, rows: DeliveryRow[]): Promise<void> {
  // SQLite accepts at most 32,766 parameters per statement.
  for (let start = 0; start < rows.length; start += 500) {
    await query
      .insertInto('deliveries')
      .values(rows.slice(start, start + 500))
      .execute()
  }
}

export function listTeamsWithDeliveries(query: Queryable): Promise<string[]> {
  return listWaitingTeams(query, sql`from deliveries where state = 'waiting'`)
}

export async function listDueJobs(
  query: Queryable,
  options: { teamId: string; after: string; limit: number; now: number },
) {
  const { teamId, after, limit, now } = options
  const fromWaiting = sql`from deliveries where state = 'waiting' and team_id = ${teamId}`
  const { rows } = await sql<{ job_id: string; url: string | null; is_due: number }>`
    with recursive waiting(job_id, number) as (
      select min(job_id), 1 ${fromWaiting} and job_id > ${after}
      union all
      select (select min(job_id) ${fromWaiting} and job_id > waiting.job_id), waiting.number + 1
      from waiting where waiting.job_id is not null and waiting.number < ${sql.lit(limit)}
    ) select waiting.job_id as job_id, webhooks.url as url,
      case when exists (
        select 1 ${fromWaiting} and job_id = waiting.job_id and next_at <= ${now} and lease_until < ${now}
      ) then 1 else 0 end as is_due
    from waiting left join webhooks on webhooks.job_id = waiting.job_id
    where waiting.job_id is not null order by waiting.number`.execute(query)
  return {
    due: rows.filter((row) => row.is_due === 1).map((row) => ({ jobId: row.job_id, url: row.url ?? '' })),
    last: rows.length < limit ? undefined : rows.at(-1)?.job_id,
  }
}

/** An event waits for the first attempt of earlier stages, so that a receiver gets no end event too early. */
export function claimDeliveries(
  store: Store,
  claim: { jobId: string; limit: number; now: number; leaseUntil: number },
): Promise<DeliveryRow[]> {
  const claimAll = async (transaction: Queryable) => {
    const waiting = transaction
      .selectFrom('deliveries')
      .where(hasValues({ state: sql.lit('waiting'), job_id: claim.jobId }))
    const firstUntried = await waiting
      .select('stage')
      .where('attempts', '=', 0)
      .orderBy('stage')
      .limit(1)
      .executeTakeFirst()
    const due = waiting
      .select('id')
      .where('stage', '<=', firstUntried?.stage ?? 2)
      .where('next_at', '<=', claim.now)
      .where('lease_until', '<', claim.now)
      .orderBy('stage')
      .orderBy('id')
      .limit(claim.limit)
    const ids = (await store.skipLocked(due).execute()).map((row) => row.id)
    if (ids.length === 0) return []
    const rows = await transaction
      .updateTable('deliveries')
      .set({ lease_until: claim.leaseUntil })
      .where('id', 'in', ids)
      .returningAll()
      .execute()
    return rows.sort((left, right) => left.stage - right.stage || (left.id < right.id ? -1 : 1))
  }
  // If a power failure undoes a claim, its event stays in the outbox.
  return store.transaction(claimAll, { durable: false })
}

/** Ends every lease immediately, on startup of a process that is the only one to serve the store. */
export async function dropDeliveryLeases(query: Queryable): Promise<void> {
  await query.updateTable('deliveries').set({ lease_until: 0 }).where('state', '=', 'waiting').execute()
}

export async function recordAttempt(
  query: Queryable,
  id: string,
  attempt: Pick<DeliveryRow, 'state' | 'attempts' | 'next_at' | 'log' | 'finished_at'>,
): Promise<void> {
  await query
    .updateTable('deliveries')
    .set({ ...attempt, lease_until: 0 })
    .where('id', '=', id)
    .execute()
}

export function findDelivery(query: Queryable, id: string): Promise<DeliveryRow | undefined> {
  return query.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function replayDelivery(query: Queryable, id: string, now: number): Promise<void> {
  await query
    .updateTable('deliveries')
    .set({ state: 'waiting', next_at: now, lease_until: 0, finished_at: null })
    .where('id', '=', id)
    .execute()
}

export function listDeliveries(
  query: Queryable,
  page: {
    teamId: string
    jobId?: string | undefined
    state?: DeliveryRow['state'] | undefined
    before?: string | undefined
    limit: number
  },
): Promise<DeliveryRow[]> {
  const { teamId, jobId, state, before, limit } = page
  const deliveries = (after: string | undefined) => {
    const newest = query.selectFrom('deliveries').orderBy('id', 'desc')
    const rows =
      jobId === undefined
        ? newest.where('team_id', '=', teamId)
        : // The expression prevents the use of the index by team, with which SQLite would read all of its deliveries.
          newest.where('job_id', '=', jobId).where(sql`coalesce(team_id, '')`, '=', teamId)
    return after === undefined ? rows : rows.where('id', '<', after)
  }
  return readInSteps<string, DeliveryRow>(
    { after: before, limit },
    async (after) => {
      const ids = deliveries(after).select('id')
      return (
        await ids
          .offset(rowsPerStep - 1)
          .limit(1)
          .executeTakeFirst()
      )?.id
    },
    ({ after, to }, count) => {
      let rows = deliveries(after).selectAll().limit(count)
      if (to !== undefined) rows = rows.where('id', '>=', to)
      return (state === undefined ? rows : rows.where('state', '=', state)).execute()
    },
  )
}

export async function removeDeliveriesBefore(query: Queryable, moment: number): Promise<void> {
  await query
    .deleteFrom('deliveries')
    .where('created_at', '<', moment)
    .where('state', '!=', 'waiting')
    .execute()
  await sql`delete from webhooks where not exists (select 1 from jobs where jobs.id = webhooks.job_id)
    and not exists (
      select 1 from deliveries where deliveries.job_id = webhooks.job_id and deliveries.state = 'waiting'
    )`.execute(query)
}

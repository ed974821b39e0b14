import { sql } from 'kysely'
import { tryLockSlots } from '../locks.ts'
import { hasValues, listWaitingTeams, withWaitingTeams } from '../prepared.ts'
import type { JobRow, Queryable, Store } from '../schema.ts'
import { countFreeForBackground } from './slots.ts'

// States are literals in these queries, not parameters, because only then can the indexes of one state be used.

export interface Lease {
  holder: string
  until: number
  now: number
}

export async function startJob(query: Queryable, id: string, lease: Lease): Promise<boolean> {
  const result = await query
    .updateTable('jobs')
    .set(runningColumns(lease))
    .where(hasValues({ id, state: 'queued' }))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function listTeamsWithQueuedJobs(query: Queryable, takesSlot: 0 | 1 = 1): Promise<string[]> {
  return listWaitingTeams(query, queuedJobs(takesSlot))
}

const queuedJobs = (takesSlot: 0 | 1) =>
  sql`from jobs where state = 'queued' and takes_slot = ${sql.lit(takesSlot)} and foreground = 0`

export async function findQueueHeads(query: Queryable, takesSlot: 0 | 1) {
  const { rows } = await sql<{ team_id: string; head: string | null }>`
    ${withWaitingTeams(queuedJobs(takesSlot))} select team_id, (
      select id ${queuedJobs(takesSlot)} and team_id = waiting.team_id order by queued_at, id limit 1
    ) as head from waiting where team_id is not null`.execute(query)
  return rows.flatMap(({ team_id, head }) => (head === null ? [] : [{ teamId: team_id, jobId: head }]))
}

/** Returns an empty list, without waiting, if another runner is claiming jobs of the same team. */
export async function claimForTeam(
  store: Store,
  claim: { teamId: string; limit: number; concurrency: number; lease: Lease },
): Promise<JobRow[]> {
  const claimAll = async (transaction: Queryable) => {
    if (!(await tryLockSlots(store, transaction, claim.teamId))) return []
    const { teamId, concurrency, lease } = claim
    const freeSlots = await countFreeForBackground(transaction, { teamId, concurrency, now: lease.now })
    const limit = Math.min(claim.limit, freeSlots)
    return limit === 0 ? [] : claimQueued(store, transaction, { takesSlot: 1, teamId, limit, lease })
  }
  return store.transaction(claimAll, nonDurable)
}

/** Option for transactions that claim jobs: if a power failure undoes a claim, its job is still in the queue. */
const nonDurable = { durable: false }

export function claimSlotlessJobs(store: Store, claim: { teamId: string; limit: number; lease: Lease }) {
  const claimAll = (transaction: Queryable) => claimQueued(store, transaction, { takesSlot: 0, ...claim })
  return store.transaction(claimAll, nonDurable)
}

async function claimQueued(
  store: Store,
  query: Queryable,
  options: { takesSlot: number; teamId: string; limit: number; lease: Lease },
): Promise<JobRow[]> {
  const select = query
    .selectFrom('jobs')
    .select('id')
    .where(hasValues({ state: sql.lit('queued'), takes_slot: options.takesSlot, foreground: 0 }))
    .where('team_id', '=', options.teamId)
    .orderBy('queued_at')
    .orderBy('id')
    .limit(options.limit)
  const ids = (await store.skipLocked(select).execute()).map((row) => row.id)
  if (ids.length === 0) return []
  const rows = await query
    .updateTable('jobs')
    .set(runningColumns(options.lease))
    .where('id', 'in', ids)
    .returningAll()
    .execute()
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1))
}

function runningColumns(lease: Lease) {
  return {
    state: 'running' as const,
    leased_by: lease.holder,
    lease_until: lease.until,
    started_at: lease.now,
    attempts: sql<number>`attempts + 1`,
  }
}

export async function renewLeases(store: Store, ids: string[], lease: Lease): Promise<string[]> {
  const renewed: string[] = []
  // SQLite accepts at most 32,766 parameters per statement.
  for (let start = 0; start < ids.length; start += 1000) {
    const batch = ids.slice(start, start + 1000)
    const renew = (transaction: Queryable) => renewBatch(store, transaction, batch, lease)
    renewed.push(...(await store.transaction(renew, nonDurable)))
  }
  return renewed
}

async function renewBatch(store: Store, query: Queryable, ids: string[], lease: Lease): Promise<string[]> {
  const leased = query
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('leased_by', '=', lease.holder)
    .where('state', 'in', ['queued', 'running'])
  // A transaction that has locked a job is about to change it. The next heartbeat can still renew it.
  const unlocked = (await store.skipLocked(leased.orderBy('id')).execute()).map((row) => row.id)
  if (unlocked.length > 0)
    await query.updateTable('jobs').set({ lease_until: lease.until }).where('id', 'in', unlocked).execute()
  if (unlocked.length === ids.length) return unlocked
  return (await leased.execute()).map((row) => row.id)
}

interface HolderJobs {
  holder: string
  id?: string
  except?: string[]
  /** Added to the attempts of the job; -1 by default, so that the start is not counted. */
  attemptsChange?: number
}

/** Requeues running background jobs: one job or all jobs of a holder that stops, or all jobs with an expired lease. */
export function requeueJobs(
  store: Store,
  filter: HolderJobs | { leaseBefore: number; attemptsBelow: number },
): Promise<string[]> {
  return store.transaction(async (transaction) => {
    const runningJobs = transaction
      .selectFrom('jobs')
      .select('id')
      .where(hasValues({ state: sql.lit('running'), foreground: 0 }))
    const selected =
      'holder' in filter
        ? runningJobs
            .where('leased_by', '=', filter.holder)
            .$if(filter.id !== undefined, (filtered) => filtered.where('id', '=', filter.id ?? ''))
            .$if(filter.except !== undefined, (filtered) =>
              filtered.where('id', 'not in', ['', ...(filter.except ?? [])]),
            )
        : runningJobs
            .where('lease_until', '<', filter.leaseBefore)
            .where('attempts', '<', filter.attemptsBelow)
    // Without `order by`: to sort, SQLite would use the index of all jobs and read every job.
    const ids = (await store.skipLocked(selected).execute()).map((row) => row.id)
    if (ids.length === 0) return []
    await transaction
      .updateTable('jobs')
      .set({
        state: 'queued' as const,
        leased_by: null,
        lease_until: null,
        // A runner that stops in an orderly way has not failed the job, so this start is not counted.
        ...('holder' in filter
          ? { attempts: sql<number>`attempts + ${sql.lit(filter.attemptsChange ?? -1)}` }
          : {}),
      })
      .where('id', 'in', ids)
      .execute()
    return ids
  })
}

/** Their caller was lost, their attempts are exhausted, or their deadline passed in the queue. */
export async function findAbandoned(query: Queryable, now: number): Promise<JobRow[]> {
  const jobs = query.selectFrom('jobs').selectAll().limit(500)
  const running = jobs.where('state', '=', sql.lit('running'))
  const inForeground = jobs.where(hasValues({ state: sql.lit('queued'), foreground: sql.lit(1) }))
  const inBackground = jobs.where(hasValues({ state: sql.lit('queued'), foreground: sql.lit(0) }))
  // Separate queries: combined by "or", they would read the entire table.
  const abandoned = [
    await running.where('lease_until', '<', now).execute(),
    await inForeground.where('lease_until', '<', now).execute(),
    await inBackground.where('deadline_at', '<', now).execute(),
  ]
  return abandoned.flat()
}

/** Ends every lease immediately, on startup of a process that is the only one to serve the store. */
export async function dropAllLeases(query: Queryable): Promise<void> {
  await query.updateTable('jobs').set({ lease_until: 0 }).where('leased_by', 'is not', null).execute()
}

import { sql } from 'kysely'
import { tryLockSlots } from '../locks.ts'
import type { JobRow, Queryable, Store } from '../schema.ts'
import { countFreeForBackground } from './slots.ts'

// States stand in these queries as they are, not as values: only then can the indexes that hold one state be used.

export interface Lease {
  holder: string
  until: number
  now: number
}

/** Turns a queued job into a running one of this holder. */
export async function startJob(query: Queryable, id: string, lease: Lease): Promise<boolean> {
  const result = await query
    .updateTable('jobs')
    .set(running(lease))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The teams that have background jobs waiting. */
export function teamsWaiting(query: Queryable): Promise<string[]> {
  return teamsWithQueued(query, 1)
}

/** The teams that have slotless jobs waiting. */
export function teamsWithSlotlessJobs(query: Queryable): Promise<string[]> {
  return teamsWithQueued(query, 0)
}

async function teamsWithQueued(query: Queryable, takesSlot: 0 | 1): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    ${withWaitingTeams(takesSlot)} select team_id from waiting where team_id is not null`.execute(query)
  return rows.map((row) => row.team_id)
}

/** Found by hopping over the index rather than reading it. */
function withWaitingTeams(takesSlot: 0 | 1) {
  const queued = queuedJobs(takesSlot)
  return sql`with recursive waiting(team_id) as (
      select min(team_id) ${queued}
      union all
      select (select min(team_id) ${queued} and team_id > waiting.team_id)
      from waiting where waiting.team_id is not null
    )`
}

const queuedJobs = (takesSlot: 0 | 1) =>
  sql`from jobs where state = 'queued' and takes_slot = ${sql.lit(takesSlot)} and foreground = 0`

/** Oldest background job of each team that has some in the queue: the one that is claimed next. */
export async function findQueueHeads(
  query: Queryable,
  takesSlot: 0 | 1,
): Promise<{ teamId: string; jobId: string }[]> {
  const { rows } = await sql<{ team_id: string; head: string | null }>`
    ${withWaitingTeams(takesSlot)} select team_id, (
      select id ${queuedJobs(takesSlot)} and team_id = waiting.team_id order by queued_at, id limit 1
    ) as head from waiting where team_id is not null`.execute(query)
  return rows.flatMap(({ team_id, head }) => (head === null ? [] : [{ teamId: team_id, jobId: head }]))
}

/**
 * Claims the oldest background jobs of a team, as many as it has free slots. Another runner that claims for the
 * same team at this moment makes this one answer nothing rather than wait.
 */
export async function claimForTeam(
  store: Store,
  claim: { teamId: string; most: number; concurrency: number; lease: Lease },
): Promise<JobRow[]> {
  const claimAll = async (transaction: Queryable) => {
    if (!(await tryLockSlots(store, transaction, claim.teamId))) return []
    const { teamId, concurrency, lease } = claim
    const free = await countFreeForBackground(transaction, { teamId, concurrency, now: lease.now })
    const most = Math.min(claim.most, free)
    return most === 0 ? [] : takeQueued(store, transaction, { takesSlot: 1, teamId, most, lease })
  }
  return store.transaction(claimAll, unconfirmed)
}

/** A claim that a power cut takes back leaves its job in the queue. */
const unconfirmed = { durable: false }

/** Claims slotless jobs of a team, oldest first. */
export function claimSlotlessJobs(
  store: Store,
  claim: { teamId: string; most: number; lease: Lease },
): Promise<JobRow[]> {
  return store.transaction(
    (transaction) => takeQueued(store, transaction, { takesSlot: 0, ...claim }),
    unconfirmed,
  )
}

async function takeQueued(
  store: Store,
  query: Queryable,
  take: { takesSlot: number; teamId: string; most: number; lease: Lease },
): Promise<JobRow[]> {
  const select = query
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', sql.lit('queued'))
    .where('takes_slot', '=', take.takesSlot)
    .where('team_id', '=', take.teamId)
    .where('foreground', '=', 0)
    .orderBy('queued_at')
    .orderBy('id')
    .limit(take.most)
  const ids = (await store.skipLocked(select).execute()).map((row) => row.id)
  if (ids.length === 0) return []
  const rows = await query
    .updateTable('jobs')
    .set(running(take.lease))
    .where('id', 'in', ids)
    .returningAll()
    .execute()
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1))
}

function running(lease: Lease) {
  return {
    state: 'running' as const,
    leased_by: lease.holder,
    lease_until: lease.until,
    started_at: lease.now,
    attempts: sql<number>`attempts + 1`,
  }
}

/** Renews these jobs of a holder; answers those of its jobs that are still its own. */
export async function renewLeases(store: Store, ids: string[], lease: Lease): Promise<string[]> {
  const own: string[] = []
  // SQLite takes at most 32,766 parameters in one statement.
  for (let start = 0; start < ids.length; start += 1000) {
    const some = ids.slice(start, start + 1000)
    own.push(
      ...(await store.transaction((transaction) => renewSome(store, transaction, some, lease), unconfirmed)),
    )
  }
  return own
}

async function renewSome(store: Store, query: Queryable, ids: string[], lease: Lease): Promise<string[]> {
  const living = query
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('leased_by', '=', lease.holder)
    .where('state', 'in', ['queued', 'running'])
  // The transaction that has locked one is about to change it; there is time to renew it at the next beat.
  const free = (await store.skipLocked(living.orderBy('id')).execute()).map((row) => row.id)
  if (free.length > 0)
    await query.updateTable('jobs').set({ lease_until: lease.until }).where('id', 'in', free).execute()
  if (free.length === ids.length) return free
  return (await living.execute()).map((row) => row.id)
}

interface OfHolder {
  holder: string
  id?: string
  except?: string[]
  /** What the start is counted as in addition; it is not counted at all unless told otherwise. */
  cost?: number
}

/** Puts running background jobs back in the queue: one or all of a holder that gives up, or all whose lease ran out. */
export function requeueJobs(
  store: Store,
  which: OfHolder | { leaseBefore: number; attemptsBelow: number },
): Promise<string[]> {
  return store.transaction(async (transaction) => {
    const lost = transaction
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', sql.lit('running'))
      .where('foreground', '=', 0)
    const narrowed =
      'holder' in which
        ? lost
            .where('leased_by', '=', which.holder)
            .$if(which.id !== undefined, (one) => one.where('id', '=', which.id ?? ''))
            .$if(which.except !== undefined, (some) =>
              some.where('id', 'not in', ['', ...(which.except ?? [])]),
            )
        : lost.where('lease_until', '<', which.leaseBefore).where('attempts', '<', which.attemptsBelow)
    // Not in an order: SQLite would take the index of all jobs for that, and read every one of them.
    const ids = (await store.skipLocked(narrowed).execute()).map((row) => row.id)
    if (ids.length === 0) return []
    await transaction
      .updateTable('jobs')
      .set({
        state: 'queued' as const,
        leased_by: null,
        lease_until: null,
        // A runner that stops in good order has not failed the job: that start is not counted.
        ...('holder' in which ? { attempts: sql<number>`attempts + ${sql.lit(which.cost ?? -1)}` } : {}),
      })
      .where('id', 'in', ids)
      .execute()
    return ids
  })
}

/** Jobs that nobody will ever run again: lost callers, spent attempts, deadlines that passed in the queue. */
export async function findAbandoned(query: Queryable, now: number): Promise<JobRow[]> {
  const jobs = query.selectFrom('jobs').selectAll().limit(500)
  const queued = jobs.where('state', '=', sql.lit('queued'))
  // One after the other: joined by "or", they would have the whole table read.
  const found = [
    await jobs.where('state', '=', sql.lit('running')).where('lease_until', '<', now).execute(),
    await queued.where('foreground', '=', sql.lit(1)).where('lease_until', '<', now).execute(),
    await queued.where('foreground', '=', sql.lit(0)).where('deadline_at', '<', now).execute(),
  ]
  return found.flat()
}

/** Lets every lease run out at once: for a store that only one process serves, when that process starts. */
export async function dropAllLeases(query: Queryable): Promise<void> {
  await query.updateTable('jobs').set({ lease_until: 0 }).where('leased_by', 'is not', null).execute()
}

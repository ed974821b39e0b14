import { prepared } from './prepared.ts'
import type { JobRow, Queryable, Store, TeamRow } from './schema.ts'

/**
 * Every lock that a transaction may wait for, in the one order in which they are taken. Two transactions that keep to it
 * never wait for each other. What is locked without waiting (`skipLocked`, `tryLockName`) may be taken at any time, and so
 * may rows that the transaction itself has made.
 */
const order = ['parents', 'jobs', 'slots', 'teams', 'operator keys'] as const

type Level = (typeof order)[number]

/** How far in the order a transaction is. */
const levels = new WeakMap<object, number>()

function step(transaction: Queryable, level: Level): void {
  const wanted = order.indexOf(level)
  const reached = levels.get(transaction) ?? 0
  if (wanted < reached) throw new Error(`A lock on ${level} was asked for after one on ${order[reached]}.`)
  levels.set(transaction, wanted)
}

/** Locks a parent job until the transaction ends. Every change of a parent or its children holds this lock. */
export function lockParent(store: Store, query: Queryable, id: string): Promise<JobRow | undefined> {
  step(query, 'parents')
  return store.lock(query.selectFrom('jobs').selectAll().where('id', '=', id)).executeTakeFirst()
}

/** The same for several; answers the last number that each has given to a child at its end. */
export async function lockParents(
  store: Store,
  query: Queryable,
  ids: string[],
): Promise<Map<string, number>> {
  step(query, 'parents')
  if (ids.length === 0) return new Map()
  const parents = query
    .selectFrom('jobs')
    .select(['id', 'children_ended'])
    .where('id', 'in', ids)
    .orderBy('id')
  const rows = await store.lock(parents).execute()
  return new Map(rows.map((row) => [row.id, row.children_ended]))
}

/** Locks jobs that are to be changed together, or before a lock that comes later in the order. */
export async function lockJobs(store: Store, query: Queryable, ids: string[]): Promise<void> {
  step(query, 'jobs')
  // Where one connection writes, one transaction at a time, there is nobody to keep out.
  if (ids.length === 0 || !store.isShared) return
  await store.lock(query.selectFrom('jobs').select('id').where('id', 'in', ids).orderBy('id')).execute()
}

/** Two processes must never count the same free slot of a team. */
export function lockSlots(store: Store, query: Queryable, teamId: string): Promise<void> {
  step(query, 'slots')
  // A queryable inside a transaction is that transaction.
  return store.lockName(query as Parameters<Store['lockName']>[0], `slots ${teamId}`)
}

export function tryLockSlots(store: Store, query: Queryable, teamId: string): Promise<boolean> {
  return store.tryLockName(query as Parameters<Store['tryLockName']>[0], `slots ${teamId}`)
}

/** Two calls must never revoke the last two keys of operators together. */
export function lockOperatorKeys(store: Store, query: Queryable): Promise<void> {
  step(query, 'operator keys')
  return store.lockName(query as Parameters<Store['lockName']>[0], 'operator keys')
}

type LockedTeam = Pick<TeamRow, 'concurrency' | 'balance'>

/** Locks the team's row, so that two calls never spend the same credit. */
export async function lockTeam(
  store: Store,
  query: Queryable,
  teamId: string,
): Promise<LockedTeam | undefined> {
  step(query, 'teams')
  return (await queriesOf(store).team(query, { teamId })).rows[0]
}

/**
 * Locks a team that has a balance and answers it; null: the team can spend without limit and is not locked, as every page of
 * every crawl would wait for the others.
 */
export async function lockBalance(store: Store, query: Queryable, teamId: string): Promise<number | null> {
  step(query, 'teams')
  const { rows } = await queriesOf(store).limited(query, { teamId })
  return rows[0]?.balance ?? null
}

/** Locks those of the teams that have a balance; the others have nothing that could be spent twice. */
export async function lockLimitedTeams(store: Store, query: Queryable, teamIds: string[]): Promise<void> {
  if (!store.isShared) return
  for (const teamId of teamIds.toSorted()) await lockBalance(store, query, teamId)
}

/** How rows are locked is the store's to say, so each store has queries of its own. */
const queries = new WeakMap<Store, ReturnType<typeof teamQueries>>()

function queriesOf(store: Store) {
  const found = queries.get(store) ?? teamQueries(store)
  queries.set(store, found)
  return found
}

function teamQueries(store: Store) {
  const teams = (query: Queryable, id: string) =>
    query.selectFrom('teams').select(['concurrency', 'balance']).where('id', '=', id)
  return {
    team: prepared<{ teamId: string }, LockedTeam>((query, value) =>
      store.lock(teams(query, value('teamId'))),
    ),
    limited: prepared<{ teamId: string }, LockedTeam>((query, value) =>
      store.lock(teams(query, value('teamId')).where('balance', 'is not', null)),
    ),
  }
}

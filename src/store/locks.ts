import { prepared } from './prepared.ts'
import type { JobRow, Queryable, Store, TeamRow } from './schema.ts'

/** Transactions that wait for locks in this order cannot deadlock. Locks without waiting are allowed at any time. */
const lockOrder = ['parents', 'jobs', 'slots', 'teams', 'operator keys'] as const

type Level = (typeof lockOrder)[number]

const levels = new WeakMap<object, number>()

function recordLock(transaction: Queryable, level: Level): void {
  const position = lockOrder.indexOf(level)
  const lastPosition = levels.get(transaction) ?? 0
  if (position < lastPosition)
    throw new Error(`A lock on ${level} was asked for after one on ${lockOrder[lastPosition]}.`)
  levels.set(transaction, position)
}

/** Every change of a parent or its children holds this lock. */
export function lockParent(store: Store, query: Queryable, id: string): Promise<JobRow | undefined> {
  recordLock(query, 'parents')
  return store.lock(query.selectFrom('jobs').selectAll().where('id', '=', id)).executeTakeFirst()
}

export async function lockParents(store: Store, query: Queryable, ids: string[]) {
  recordLock(query, 'parents')
  if (ids.length === 0) return new Map()
  const parents = query
    .selectFrom('jobs')
    .select(['id', 'children_ended'])
    .where('id', 'in', ids)
    .orderBy('id')
  const rows = await store.lock(parents).execute()
  return new Map(rows.map((row) => [row.id, row.children_ended]))
}

export async function lockJobs(store: Store, query: Queryable, ids: string[]): Promise<void> {
  recordLock(query, 'jobs')
  // With one connection and one transaction at a time, no lock is necessary.
  if (ids.length === 0 || !store.isShared) return
  await store.lock(query.selectFrom('jobs').select('id').where('id', 'in', ids).orderBy('id')).execute()
}

/** Locks the slots of a team, so that two processes never count the same free slot. */
export function lockSlots(store: Store, query: Queryable, teamId: string): Promise<void> {
  recordLock(query, 'slots')
  // A queryable inside a transaction is that transaction.
  return store.lockName(query as Parameters<Store['lockName']>[0], `slots ${teamId}`)
}

export function tryLockSlots(store: Store, query: Queryable, teamId: string): Promise<boolean> {
  return store.tryLockName(query as Parameters<Store['tryLockName']>[0], `slots ${teamId}`)
}

/** Locks the operator keys, so that two calls never revoke the last two of them together. */
export function lockOperatorKeys(store: Store, query: Queryable): Promise<void> {
  recordLock(query, 'operator keys')
  return store.lockName(query as Parameters<Store['lockName']>[0], 'operator keys')
}

type LockedTeam = Pick<TeamRow, 'concurrency' | 'balance'>

/** Locks the team's row, so that two calls never spend the same credit. */
export async function lockTeam(store: Store, query: Queryable, teamId: string) {
  recordLock(query, 'teams')
  return (await getQueries(store).team(query, { teamId })).rows[0]
}

/** Returns null for an unlimited team, which is not locked: every page of every crawl would wait for the others. */
export async function lockBalance(store: Store, query: Queryable, teamId: string): Promise<number | null> {
  recordLock(query, 'teams')
  const { rows } = await getQueries(store).limitedTeam(query, { teamId })
  return rows[0]?.balance ?? null
}

export async function lockLimitedTeams(store: Store, query: Queryable, teamIds: string[]): Promise<void> {
  if (!store.isShared) return
  for (const teamId of teamIds.toSorted()) await lockBalance(store, query, teamId)
}

/** Each store has separate queries, because stores lock rows in different ways. */
const queries = new WeakMap<Store, ReturnType<typeof createTeamQueries>>()

function getQueries(store: Store) {
  const storeQueries = queries.get(store) ?? createTeamQueries(store)
  queries.set(store, storeQueries)
  return storeQueries
}

function createTeamQueries(store: Store) {
  const teams = (query: Queryable, id: string) =>
    query.selectFrom('teams').select(['concurrency', 'balance']).where('id', '=', id)
  return {
    team: prepared<{ teamId: string }, LockedTeam>((query, value) =>
      store.lock(teams(query, value('teamId'))),
    ),
    limitedTeam: prepared<{ teamId: string }, LockedTeam>((query, value) =>
      store.lock(teams(query, value('teamId')).where('balance', 'is not', null)),
    ),
  }
}

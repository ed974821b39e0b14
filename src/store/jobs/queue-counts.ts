import { sql } from 'kysely'
import { countRows, hasValues } from '../prepared.ts'
import type { Queryable } from '../schema.ts'

/** Literals in the queries, because only then can the indexes of one state be used. */
export const activeStates = ['queued', 'running', 'held'] as const

export type ActiveState = (typeof activeStates)[number]

export function countByKind(query: Queryable, state: ActiveState) {
  return query
    .selectFrom('jobs')
    .select(['kind', sql<number>`count(*)`.as('count')])
    .where('state', '=', sql.lit(state))
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}

export async function countTakenSlots(query: Queryable, now: number): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where(hasValues({ state: sql.lit('running'), takes_slot: sql.lit(1) }))
      .where('lease_until', '>', now),
  )
}

export function listBusiestTeams(query: Queryable, { now, limit }: { now: number; limit: number }) {
  return query
    .selectFrom('jobs')
    .innerJoin('teams', 'teams.id', 'jobs.team_id')
    .select(['teams.id', 'teams.name', 'teams.concurrency', sql<number>`count(*)`.as('running')])
    .where('jobs.state', '=', sql.lit('running'))
    .where('jobs.lease_until', '>', now)
    .groupBy(['teams.id', 'teams.name', 'teams.concurrency'])
    .orderBy('running', 'desc')
    .orderBy('teams.id')
    .limit(limit)
    .execute()
}

const maxCounted = 100_000

export async function getBacklog(query: Queryable) {
  const [queued, running, deliveries] = await Promise.all([
    sql<{ kind: string; count: number; oldest: number }>`
      select kind, count(*) as count, min(created_at) as oldest
      from (select kind, created_at from jobs where state = 'queued' limit ${sql.lit(maxCounted)}) as waiting
      group by kind`.execute(query),
    countByKind(query, 'running'),
    sql<{ count: number; oldest: number | null }>`
      select count(*) as count, min(created_at) as oldest
      from (select created_at from deliveries where state = 'waiting' limit ${sql.lit(maxCounted)}) as waiting`.execute(
      query,
    ),
  ])
  const [waiting] = deliveries.rows
  return {
    queued: queued.rows.map(({ kind, count, oldest }) => ({
      ...{ kind, count: Number(count), oldest: Number(oldest) },
    })),
    running: running.map(({ kind, count }) => ({ kind, count: Number(count) })),
    deliveries: {
      count: Number(waiting?.count ?? 0),
      oldest: waiting?.oldest === null || waiting === undefined ? null : Number(waiting.oldest),
    },
  }
}

import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

/** States of jobs that have not ended. They stand in the queries as they are: only then are the indexes of one state used. */
export const livingStates = ['queued', 'running', 'held'] as const

export type LivingState = (typeof livingStates)[number]

/** Jobs of all teams in a state, by kind. */
export function countByKind(query: Queryable, state: LivingState) {
  return query
    .selectFrom('jobs')
    .select(['kind', sql<number>`count(*)`.as('count')])
    .where('state', '=', sql.lit(state))
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}

/** Slots that are taken now, of all teams. */
export async function countTakenSlots(query: Queryable, now: number): Promise<number> {
  const row = await query
    .selectFrom('jobs')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', sql.lit('running'))
    .where('takes_slot', '=', sql.lit(1))
    .where('lease_until', '>', now)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Teams with most running jobs. */
export function busiestTeams(query: Queryable, { now, limit }: { now: number; limit: number }) {
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

import { sql } from 'kysely'
import type { Ending } from './jobs/jobs.ts'
import { countRows, hasValues } from './prepared.ts'
import type { Queryable, SessionRow } from './schema.ts'

export type { SessionRow } from './schema.ts'

/** Kinds of jobs that are sessions. The job and its session have the same id. */
export const sessionKinds = ['browser', 'interact'] as const

export type SessionKind = (typeof sessionKinds)[number]

export async function insertSession(query: Queryable, session: SessionRow): Promise<void> {
  await query.insertInto('sessions').values(session).execute()
}

export function findSession(query: Queryable, id: string): Promise<SessionRow | undefined> {
  return query.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findSessionKey(query: Queryable, id: string) {
  const row = await query
    .selectFrom('jobs')
    .leftJoin('keys', (join) => join.onRef('keys.id', '=', 'jobs.key_id').on('keys.revoked_at', 'is', null))
    .select(['jobs.key_id', 'keys.id as live_id'])
    .where('jobs.id', '=', id)
    .executeTakeFirst()
  const keyId = row?.key_id ?? null
  return { id: keyId, isRevoked: keyId !== null && row?.live_id === null }
}

export function findSessionOfScrape(query: Queryable, scrapeId: string): Promise<SessionRow | undefined> {
  return query.selectFrom('sessions').selectAll().where('scrape_id', '=', scrapeId).executeTakeFirst()
}

export function listSessions(
  query: Queryable,
  page: { teamId: string; status: SessionRow['status'] | undefined; limit: number },
): Promise<SessionRow[]> {
  let select = query
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', page.teamId)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.status !== undefined) select = select.where('status', '=', page.status)
  return select.execute()
}

/** A session whose process died does not count, even if it has not been ended yet. */
export function countOpenSessions(query: Queryable, teamId: string, now: number): Promise<number> {
  return countRows(openSessions(query, now).where('sessions.team_id', '=', teamId))
}

export function countSessionsByHome(query: Queryable, now: number) {
  return openSessions(query, now)
    .select((expressions) => ['sessions.home', expressions.fn.countAll<number>().as('count')])
    .groupBy('sessions.home')
    .execute()
}

function openSessions(query: Queryable, now: number) {
  return query
    .selectFrom('sessions')
    .innerJoin('jobs', 'jobs.id', 'sessions.id')
    .where('sessions.status', '=', sql.lit('active'))
    .where('jobs.lease_until', '>', now)
}

export async function recordActivity(query: Queryable, id: string, time: number): Promise<void> {
  const active = hasValues<'sessions'>({ id, status: 'active' })
  await query.updateTable('sessions').set({ last_activity: time }).where(active).execute()
}

export async function recordPrompts(
  query: Queryable,
  id: string,
  { prompts, credits }: { prompts: number; credits: number },
): Promise<void> {
  await query.updateTable('sessions').set({ used_prompt: prompts }).where('id', '=', id).execute()
  const running = hasValues<'jobs'>({ id, state: 'running' })
  await query.updateTable('jobs').set({ credits }).where(running).execute()
}

/** Without `ending.session`, the process has died. A session that failed before its use releases its scrape. */
export async function endSession(query: Queryable, ending: Ending): Promise<void> {
  const { status = 'destroyed', reason = 'interrupted', lastActivity, releasesScrape } = ending.session ?? {}
  await query
    .updateTable('sessions')
    .set({
      status,
      reason,
      ended_at: ending.now,
      credits: ending.credits,
      ...(lastActivity === undefined ? {} : { last_activity: lastActivity }),
      ...(releasesScrape ? { scrape_id: null } : {}),
    })
    .where(hasValues({ id: ending.id, status: 'active' }))
    .execute()
}

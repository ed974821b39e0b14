import { afford } from '../../accounts/billing.ts'
import { sessionPrice } from '../../accounts/prices.ts'
import type { Team } from '../../accounts/team.ts'
import { newJobRow } from '../../jobs/job.ts'
import { publishJobChange } from '../../jobs/job-events.ts'
import type { LeaseHolder } from '../../jobs/lease-holder.ts'
import { AppError } from '../../platform/errors.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import { lockJobs, lockTeam } from '../../store/locks.ts'
import type { Store } from '../../store/schema.ts'
import {
  countOpenSessions,
  countSessionsByHome,
  findSession,
  findSessionOfScrape,
  insertSession,
  recordPrompts,
  type SessionKind,
  type SessionRow,
} from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'

export interface AdmitDeps extends Pick<Deps, 'store' | 'holder'> {
  /** Where other processes reach this one. */
  peerUrl: () => string
  teamBrowsers: number
  /** Memory that one session may take, and that all sessions of this machine may take together. */
  sessionMemory: { eachMegabytes: number; totalMegabytes: number }
}

/** A session that somebody wants. */
export interface NewSessionRequest {
  kind: SessionKind
  team: Team
  /** The scrape whose page it is opened on. */
  scrapeId: string | null
  target: string | null
  origin: string | undefined
  ttl: number
  activityTtl: number
  streamWebView: boolean
  profile: { name: string; saveChanges: boolean } | undefined
  usesPrompt: boolean
}

export interface Admitted {
  job: JobRow
  session: SessionRow
}

/**
 * Writes a session down, with credits for all of its life set aside. Undefined: the scrape has a session already, which
 * somebody else has just made. All is decided under the lock of the team, so two calls never take the same place.
 */
export async function admitSession(deps: AdmitDeps, order: NewSessionRequest): Promise<Admitted | undefined> {
  const lease = deps.holder.lease()
  const { job, session } = rowsFor(deps, order, lease)
  const insert = async (transaction: Parameters<Store['lockName']>[0]) => {
    const { team } = order
    const locked = await lockTeam(deps.store, transaction, team.id)
    if (order.scrapeId !== null && (await findSessionOfScrape(transaction, order.scrapeId))) return undefined
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: job.credits })
    const open = await countOpenSessions(transaction, team.id, lease.now)
    if (open >= deps.teamBrowsers) throw new AppError('SESSION_LIMIT_REACHED', { limit: deps.teamBrowsers })
    await affordMemory(deps, transaction, lease.now)
    await insertJobs(transaction, [job])
    await insertSession(transaction, session)
    return { job, session }
  }
  // A power cut that takes the record takes the browser with it.
  const admitted = await deps.store.transaction(insert, { durable: false })
  if (admitted) publishJobChange(deps.store, admitted.job, { state: 'running', at: lease.now })
  return admitted
}

/**
 * Refuses a session whose memory this machine does not have, if all open sessions take what they may. One is always admitted.
 * Processes of one machine are reached at one host. The named lock makes their calls count one after the other.
 */
async function affordMemory(
  { store, sessionMemory, peerUrl }: AdmitDeps,
  transaction: Parameters<Store['lockName']>[0],
  now: number,
): Promise<void> {
  const { eachMegabytes, totalMegabytes } = sessionMemory
  const limit = Math.max(1, Math.floor(totalMegabytes / eachMegabytes))
  const host = hostOf(peerUrl())
  await store.lockName(transaction, `sessions of ${host}`)
  const homes = await countSessionsByHome(transaction, now)
  const here = homes.filter(({ home }) => hostOf(home) === host)
  const open = here.reduce((sum, { count }) => sum + Number(count), 0)
  if (open >= limit) throw new AppError('SESSION_MEMORY_EXHAUSTED', { limit, open, retryAfter: 30 })
}

const hostOf = (url: string) => URL.parse(url)?.hostname

function rowsFor(
  deps: AdmitDeps,
  order: NewSessionRequest,
  lease: ReturnType<LeaseHolder['lease']>,
): Admitted {
  const { now } = lease
  const { ttl, activityTtl, profile } = order
  const price = sessionPrice({ ms: ttl * 1000, usedPrompt: order.usesPrompt })
  const kind = { kind: order.kind, takesSlot: false }
  const input = { ttl, activityTtl, scrapeId: order.scrapeId }
  const deadlineAt = now + ttl * 1000
  const job: JobRow = {
    ...newJobRow(kind, { ...order, input, retain: true, deadlineAt, price }, now),
    foreground: 1,
    state: 'running',
    attempts: 1,
    started_at: now,
    leased_by: lease.holder,
    lease_until: lease.until,
  }
  const session: SessionRow = {
    id: job.id,
    team_id: order.team.id,
    scrape_id: order.scrapeId,
    status: 'active',
    home: deps.peerUrl(),
    holder: lease.holder,
    ttl,
    activity_ttl: activityTtl,
    stream_web_view: order.streamWebView ? 1 : 0,
    profile_name: profile?.name ?? null,
    profile_save: profile?.saveChanges ? 1 : 0,
    used_prompt: order.usesPrompt ? 1 : 0,
    created_at: now,
    last_activity: now,
    expires_at: deadlineAt,
    ended_at: null,
    reason: null,
    credits: 0,
  }
  return { job, session }
}

/** The first prompt makes the whole session cost more: the team must have credits for that too. */
export async function admitPrompt(store: Store, team: Team, session: SessionRow): Promise<void> {
  const price = promptPrice(session)
  await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [session.id])
    const locked = await lockTeam(store, transaction, team.id)
    // Under the lock: of two first prompts, one is the first.
    const before = (await findSession(transaction, session.id))?.used_prompt ?? 0
    const credits = price(1) - price(before)
    if (credits > 0) await afford(transaction, team, { balance: locked?.balance ?? null, credits })
    await recordPrompts(transaction, session.id, { prompts: before + 1, credits: price(1) })
  })
}

/** A prompt that came to nothing does not count. */
export async function releasePrompt(store: Store, session: SessionRow): Promise<void> {
  const price = promptPrice(session)
  await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [session.id])
    const row = await findSession(transaction, session.id)
    if (row?.status !== 'active') return
    const prompts = Math.max(0, row.used_prompt - 1)
    await recordPrompts(transaction, session.id, { prompts, credits: price(prompts) })
  })
}

function promptPrice({ ttl }: SessionRow): (prompts: number) => number {
  return (prompts) => sessionPrice({ ms: ttl * 1000, usedPrompt: prompts > 0 })
}

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
  peerUrl: () => string
  teamBrowsers: number
  sessionMemory: { eachMegabytes: number; totalMegabytes: number }
}

interface NewSessionRequest {
  kind: SessionKind
  team: Team
  scrapeId: string | null
  target: string | null
  origin: string | undefined
  ttl: number
  activityTtl: number
  streamWebView: boolean
  profile: { name: string; saveChanges: boolean } | undefined
  usesPrompt: boolean
}

export interface AdmittedSession {
  job: JobRow
  session: SessionRow
}

/** Returns undefined if a concurrent call opened the session of the scrape. Locks the team row. */
export async function admitSession(deps: AdmitDeps, request: NewSessionRequest) {
  const lease = deps.holder.lease()
  const { job, session } = rowsFor(deps, request, lease)
  const insert = async (transaction: Parameters<Store['lockName']>[0]) => {
    const { team } = request
    const locked = await lockTeam(deps.store, transaction, team.id)
    if (request.scrapeId !== null && (await findSessionOfScrape(transaction, request.scrapeId)))
      return undefined
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: job.credits })
    const open = await countOpenSessions(transaction, team.id, lease.now)
    if (open >= deps.teamBrowsers) throw new AppError('SESSION_LIMIT_REACHED', { limit: deps.teamBrowsers })
    await affordMemory(deps, transaction, lease.now)
    await insertJobs(transaction, [job])
    await insertSession(transaction, session)
    return { job, session }
  }
  // Not durable: a power failure that loses the row also ends the browser.
  const admitted = await deps.store.transaction(insert, { durable: false })
  if (admitted) publishJobChange(deps.store, admitted.job, { state: 'running', at: lease.now })
  return admitted
}

/** The first session is always admitted. The lock serializes the checks of processes on the same machine. */
async function affordMemory(
  { store, sessionMemory, peerUrl }: AdmitDeps,
  transaction: Parameters<Store['lockName']>[0],
  now: number,
): Promise<void> {
  const { eachMegabytes, totalMegabytes } = sessionMemory
  const limit = Math.max(1, Math.floor(totalMegabytes / eachMegabytes))
  const host = hostOf(peerUrl())
  await store.lockName(transaction, `sessions of ${host}`)
  const countsByHome = await countSessionsByHome(transaction, now)
  const localCounts = countsByHome.filter(({ home }) => hostOf(home) === host)
  const open = localCounts.reduce((sum, { count }) => sum + count, 0)
  if (open >= limit) throw new AppError('SESSION_MEMORY_EXHAUSTED', { limit, open, retryAfter: 30 })
}

const hostOf = (url: string) => URL.parse(url)?.hostname

function rowsFor(deps: AdmitDeps, request: NewSessionRequest, lease: ReturnType<LeaseHolder['lease']>) {
  const { now } = lease
  const { ttl, activityTtl, profile } = request
  const price = sessionPrice({ ms: ttl * 1000, usedPrompt: request.usesPrompt })
  const kind = { kind: request.kind, takesSlot: false }
  const input = { ttl, activityTtl, scrapeId: request.scrapeId }
  const deadlineAt = now + ttl * 1000
  const job: JobRow = {
    ...newJobRow(kind, { ...request, input, retain: true, deadlineAt, price }, now),
    ...{ foreground: 1, state: 'running', attempts: 1, started_at: now },
    ...{ leased_by: lease.holder, lease_until: lease.until },
  }
  const session: SessionRow = {
    ...{ id: job.id, team_id: request.team.id, scrape_id: request.scrapeId, status: 'active' },
    ...{ home: deps.peerUrl(), holder: lease.holder, ttl, activity_ttl: activityTtl },
    stream_web_view: request.streamWebView ? 1 : 0,
    profile_name: profile?.name ?? null,
    profile_save: profile?.saveChanges ? 1 : 0,
    used_prompt: request.usesPrompt ? 1 : 0,
    ...{ created_at: now, last_activity: now, expires_at: deadlineAt },
    ...{ ended_at: null, reason: null, credits: 0 },
  }
  return { job, session }
}

export async function admitPrompt(store: Store, team: Team, session: SessionRow): Promise<void> {
  const price = promptPrice(session)
  await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [session.id])
    const locked = await lockTeam(store, transaction, team.id)
    // Read under the lock, so that of two concurrent first prompts only one counts as the first.
    const usedPrompts = (await findSession(transaction, session.id))?.used_prompt ?? 0
    const credits = price(1) - price(usedPrompts)
    if (credits > 0) await afford(transaction, team, { balance: locked?.balance ?? null, credits })
    await recordPrompts(transaction, session.id, { prompts: usedPrompts + 1, credits: price(1) })
  })
}

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

const promptPrice =
  ({ ttl }: SessionRow) =>
  (prompts: number) =>
    sessionPrice({ ms: ttl * 1000, usedPrompt: prompts > 0 })

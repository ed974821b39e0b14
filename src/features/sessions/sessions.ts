import type { Team } from '../../accounts/team.ts'
import type { FinishJob } from '../../jobs/finish-jobs.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { tokenSigner } from '../../platform/token-signer.ts'
import type { CodeOutcome } from '../../sessions/code/code-runner.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'
import { findSession, listSessions, type SessionRow } from '../../store/sessions.ts'
import { type AdmitDeps, admitSession } from './admit.ts'
import type { OpenBrowser } from './browser.ts'
import type { SessionRegistry } from './registry.ts'
import type { ExecuteRequest, SessionRequest } from './schema.ts'
import type { SessionRouter } from './session-router.ts'

export interface SessionDeps extends AdmitDeps {
  recordEnding: FinishJob
  clock: { now(): number }
  browsers: OpenBrowser
  registry: SessionRegistry
  home: SessionRouter
  links: SessionLinks
}

export async function createSession(deps: SessionDeps, team: Team, request: SessionRequest) {
  await deps.browsers.check()
  const { ttl, activityTtl, streamWebView, profile, origin } = request
  const admitted = await admitSession(deps, {
    ...{ kind: 'browser', team, scrapeId: null, target: null, usesPrompt: false },
    ...{ ttl, activityTtl, streamWebView, profile, origin },
  })
  // Only the session of a scrape can be there already.
  if (!admitted) throw new AppError('SESSION_FAILED')
  const { session } = admitted
  await deps.registry.start(admitted, async () => undefined).ready
  const addresses = await deps.links.addressesOf(session)
  return { id: session.id, ...addresses, expiresAt: isoTime(session.expires_at) }
}

/** A session of this team; another team's is as forbidden as an unknown one is unknown. */
export async function findTeamSession(deps: SessionDeps, team: Team, id: string): Promise<SessionRow> {
  const row = isUuid(id) ? await findSession(deps.store.query, id.toLowerCase()) : undefined
  if (!row) throw new AppError('SESSION_NOT_FOUND')
  if (row.team_id !== team.id) throw new AppError('FORBIDDEN')
  return row
}

const maxListed = 1000

export async function teamSessions(deps: SessionDeps, team: Team, status: SessionRow['status'] | undefined) {
  const rows = await listSessions(deps.store.query, { teamId: team.id, status, most: maxListed })
  return Promise.all(rows.map((row) => shown(deps, row)))
}

export async function sessionDetails(deps: SessionDeps, team: Team, id: string) {
  const row = await findTeamSession(deps, team, id)
  const isPeaceful = row.status !== 'error' && row.reason !== 'interrupted'
  return {
    ...(await shown(deps, row)),
    expiresAt: isoTime(row.expires_at),
    ...(row.ended_at === null
      ? {}
      : { sessionDurationMs: row.ended_at - row.created_at, creditsBilled: row.credits }),
    ...(isPeaceful || row.reason === null ? {} : { error: row.reason }),
  }
}

async function shown(deps: SessionDeps, row: SessionRow) {
  return {
    id: row.id,
    status: row.status,
    ...(await deps.links.addressesOf(row)),
    streamWebView: row.stream_web_view === 1,
    createdAt: isoTime(row.created_at),
    lastActivity: isoTime(row.last_activity),
  }
}

export async function executeInSession(
  deps: SessionDeps,
  team: Team,
  order: { id: string; request: ExecuteRequest },
  signal: AbortSignal,
) {
  await deps.browsers.check()
  const session = await findTeamSession(deps, team, order.id)
  throwIfEnded(session)
  const { code, language, timeout } = order.request
  const input = { code, language, timeoutMs: timeout * 1000, budgetMs: null }
  const { error, ...ran } = toOutcomeResponse(await deps.home.ask(session, 'execute', input, signal), timeout)
  return { ...ran, ...(error === undefined ? {} : { error }) }
}

export function throwIfEnded(session: SessionRow): void {
  if (session.status !== 'active') throw new AppError('SESSION_DESTROYED', { reason: session.reason })
}

/** What a run came to, as it is answered; `error` where it failed. */
export function toOutcomeResponse(outcome: CodeOutcome, timeout: number) {
  const { isTruncated, ...ran } = outcome
  return { ...ran, error: failureOf(outcome, timeout), ...(isTruncated ? { truncated: true } : {}) }
}

function failureOf({ killed, exitCode, stderr }: CodeOutcome, timeout: number): string | undefined {
  if (killed) return `The code was ended because it reached its timeout (timeout: ${timeout} s).`
  if (exitCode === 0) return undefined
  return stderr.trim() || `The code ended with exit code ${exitCode}.`
}

/** Ends a session, wherever it lives; answers the same numbers however often it is asked. */
export async function endSession(deps: SessionDeps, team: Team, session: SessionRow, signal: AbortSignal) {
  if (session.status === 'active') {
    try {
      await deps.home.ask(session, 'end', {}, signal)
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'SESSION_DESTROYED')) throw thrown
      await endOrphan(deps, session)
    }
  }
  const row = await findTeamSession(deps, team, session.id)
  const endedAt = row.ended_at ?? deps.clock.now()
  return { status: row.status, sessionDurationMs: endedAt - row.created_at, creditsBilled: row.credits }
}

/** The process that held it is not there any more: the record is ended as the reaper would do it, uncharged. */
async function endOrphan(deps: SessionDeps, session: SessionRow): Promise<void> {
  const job = await findJob(deps.store.query, session.id)
  if (job?.state !== 'running') return
  await deps.recordEnding(job, {
    id: job.id,
    holder: session.holder,
    state: 'failed',
    credits: 0,
    result: null,
    resultBlob: null,
    error: new AppError('JOB_INTERRUPTED').toStored(),
    now: deps.clock.now(),
    input: job.input,
    forget: false,
  })
}

const isoTime = (moment: number) => new Date(moment).toISOString()

/** What the bearer of an address may do: speak DevTools, look, or look and steer. */
export type Purpose = 'cdp' | 'view' | 'control'

/**
 * The addresses of a session carry their right in themselves, since neither DevTools clients nor frames in a page send a
 * key. A token is derived from the id and a secret of the installation: every process can check it, and none is stored.
 */
export function sessionLinks(deps: { store: Store; publicUrl: () => string }) {
  const signer = tokenSigner(() => installationSecret(deps.store.query, 'sessions'))
  const tokenFor = (purpose: Purpose, id: string) => signer.sign(`${purpose} ${id}`)
  return {
    async addressesOf(session: Pick<SessionRow, 'id' | 'stream_web_view'>) {
      const { id } = session
      const url = deps.publicUrl()
      const view = `${url}/live/${id}?token=`
      const isShown = session.stream_web_view === 1
      return {
        cdpUrl: `${url.replace(/^http/, 'ws')}/cdp/${id}?token=${await tokenFor('cdp', id)}`,
        liveViewUrl: isShown ? `${view}${await tokenFor('view', id)}` : '',
        interactiveLiveViewUrl: isShown ? `${view}${await tokenFor('control', id)}&interactive=true` : '',
      }
    },

    isGenuine: (purpose: Purpose, id: string, token: string): Promise<boolean> =>
      signer.isGenuine(`${purpose} ${id}`, token),
  }
}

export type SessionLinks = ReturnType<typeof sessionLinks>

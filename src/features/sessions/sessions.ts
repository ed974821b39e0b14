import type { WebSocket } from 'ws'
import type { Team } from '../../accounts/team.ts'
import type { FinishJob } from '../../jobs/finish-jobs.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { createTokenSigner } from '../../platform/token-signer.ts'
import type { CodeOutcome } from '../../sessions/code/code-runner.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { getInstallationSecret } from '../../store/secrets.ts'
import { findSession, findSessionKey, listSessions, type SessionRow } from '../../store/sessions.ts'
import { present } from '../present.ts'
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
  router: SessionRouter
  links: SessionLinks
}

export async function createSession(deps: SessionDeps, team: Team, request: SessionRequest) {
  await deps.browsers.check()
  const { ttl, activityTtl, streamWebView, profile, origin } = request
  const admission = await admitSession(deps, {
    ...{ kind: 'browser', team, scrapeId: null, target: null, usesPrompt: false },
    ...{ ttl, activityTtl, streamWebView, profile, origin },
  })
  // Only the session of a scrape can already exist.
  if (!admission) throw new AppError('SESSION_FAILED')
  const { session } = admission
  await deps.registry.start(admission, async () => undefined).ready
  const urls = await deps.links.urlsOf(session)
  return { id: session.id, ...urls, expiresAt: isoTime(session.expires_at) }
}

export async function findTeamSession(deps: SessionDeps, team: Team, id: string): Promise<SessionRow> {
  const row = isUuid(id) ? await findSession(deps.store.query, id.toLowerCase()) : undefined
  if (!row) throw new AppError('SESSION_NOT_FOUND')
  if (row.team_id !== team.id) throw new AppError('FORBIDDEN')
  return row
}

const maxListedSessions = 1000

export async function teamSessions(deps: SessionDeps, team: Team, status: SessionRow['status'] | undefined) {
  const rows = await listSessions(deps.store.query, { teamId: team.id, status, limit: maxListedSessions })
  return Promise.all(rows.map((row) => toSessionResponse(deps, row)))
}

export async function sessionDetails(deps: SessionDeps, team: Team, id: string) {
  const row = await findTeamSession(deps, team, id)
  const isNormalEnd = row.status !== 'error' && row.reason !== 'interrupted'
  return {
    ...(await toSessionResponse(deps, row)),
    expiresAt: isoTime(row.expires_at),
    ...(row.ended_at === null
      ? {}
      : { sessionDurationMs: row.ended_at - row.created_at, creditsBilled: row.credits }),
    ...(isNormalEnd || row.reason === null ? {} : { error: row.reason }),
  }
}

async function toSessionResponse(deps: SessionDeps, row: SessionRow) {
  return {
    id: row.id,
    status: row.status,
    ...(await deps.links.urlsOf(row)),
    streamWebView: row.stream_web_view === 1,
    createdAt: isoTime(row.created_at),
    lastActivity: isoTime(row.last_activity),
  }
}

export async function executeInSession(
  deps: SessionDeps,
  team: Team,
  params: { id: string; request: ExecuteRequest },
  signal: AbortSignal,
) {
  await deps.browsers.check()
  const session = await findTeamSession(deps, team, params.id)
  throwIfEnded(session)
  const { code, language, timeout } = params.request
  const input = { code, language, timeoutMs: timeout * 1000, budgetMs: null }
  const outcome = await deps.router.call(session, 'execute', input, signal)
  const { error, ...result } = toOutcomeResponse(outcome, timeout)
  return { ...result, ...present({ error }) }
}

export function throwIfEnded(session: SessionRow): void {
  if (session.status !== 'active') throw new AppError('SESSION_DESTROYED', { reason: session.reason })
}

export function toOutcomeResponse(outcome: CodeOutcome, timeout: number) {
  const { isTruncated, ...result } = outcome
  return { ...result, error: failureMessage(outcome, timeout), ...(isTruncated ? { truncated: true } : {}) }
}

function failureMessage({ killed, exitCode, stderr }: CodeOutcome, timeout: number): string | undefined {
  if (killed) return `The code was ended because it reached its timeout (timeout: ${timeout} s).`
  if (exitCode === 0) return undefined
  return stderr.trim() || `The code ended with exit code ${exitCode}.`
}

/** Ends a session in its owner process. Idempotent: repeated calls return the same duration and cost. */
export async function endSession(deps: SessionDeps, team: Team, session: SessionRow, signal: AbortSignal) {
  if (session.status === 'active') {
    try {
      await deps.router.call(session, 'end', {}, signal)
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'SESSION_DESTROYED')) throw thrown
      await endOrphan(deps, session)
    }
  }
  const row = await findTeamSession(deps, team, session.id)
  const endedAt = row.ended_at ?? deps.clock.now()
  return { status: row.status, sessionDurationMs: endedAt - row.created_at, creditsBilled: row.credits }
}

/** Records the end of a session whose owner process is gone, uncharged, as the reaper would do. */
async function endOrphan(deps: SessionDeps, session: SessionRow): Promise<void> {
  const job = await findJob(deps.store.query, session.id)
  if (job?.state !== 'running') return
  await deps.recordEnding(job, {
    ...{ id: job.id, holder: session.holder, state: 'failed', credits: 0, input: job.input, erase: false },
    ...{ result: null, resultBlob: null, error: new AppError('JOB_INTERRUPTED').toStored() },
    now: deps.clock.now(),
  })
}

const isoTime = (timestampMs: number) => new Date(timestampMs).toISOString()

type SessionLocation = { teamId: string; keyId: string | null } & (
  | { isHere: true; join(socket: WebSocket): void }
  | { isHere: false; url: string; holder: string }
)

const keyRevokedMessage =
  'The key that opened this session was revoked, and the addresses of the session with it. Open another session with a key that works.'

/** Finds the session of a URL. `holder` is set by a process that forwards: a request is never forwarded twice. */
export async function locateSession(
  { store, holder, registry, links }: SessionDeps,
  access: { purpose: Purpose; id: string; token: string; holder: string | undefined },
): Promise<SessionLocation> {
  const { purpose, id } = access
  if (!(isUuid(id) && (await links.verify(purpose, id, access.token)))) {
    throw new AppError('UNAUTHORIZED', {}, { message: 'The token is not valid for this session.' })
  }
  const session = await findSession(store.query, id)
  if (!session) throw new AppError('SESSION_NOT_FOUND')
  throwIfEnded(session)
  if (purpose !== 'cdp' && session.stream_web_view === 0) {
    throw new AppError('FORBIDDEN', {}, { message: 'This session is not streamed (streamWebView: false).' })
  }
  const key = await findSessionKey(store.query, id)
  if (key.isRevoked) throw new AppError('UNAUTHORIZED', {}, { message: keyRevokedMessage })
  const owner = { teamId: session.team_id, keyId: key.id }
  if (session.holder !== holder.id) {
    if (access.holder !== undefined) throw new AppError('SESSION_DESTROYED')
    return { ...owner, isHere: false, url: session.home, holder: session.holder }
  }
  const activeSession = registry.find(id)
  if (!activeSession) throw new AppError('SESSION_DESTROYED')
  const browser = await activeSession.browser()
  return {
    ...owner,
    isHere: true,
    join(socket) {
      const closeSocket = () => socket.close(1001, 'The session has ended.')
      activeSession.endSignal.addEventListener('abort', closeSocket, { once: true })
      socket.once('close', () => activeSession.endSignal.removeEventListener('abort', closeSocket))
      if (purpose === 'cdp') browser.serveCdp(socket)
      else browser.show(socket, { isInteractive: purpose === 'control' })
    },
  }
}

export type Purpose = 'cdp' | 'view' | 'control'

/** Session URLs contain a signed token, because neither CDP clients nor frames in a page send an API key. */
export function sessionLinks(deps: { store: Store; publicUrl: () => string }) {
  const signer = createTokenSigner(() => getInstallationSecret(deps.store.query, 'sessions'))
  const tokenFor = (purpose: Purpose, id: string) => signer.sign(`${purpose} ${id}`)
  return {
    async urlsOf(session: Pick<SessionRow, 'id' | 'stream_web_view'>) {
      const { id } = session
      const url = deps.publicUrl()
      const view = `${url}/live/${id}?token=`
      const isStreamed = session.stream_web_view === 1
      return {
        cdpUrl: `${url.replace(/^http/, 'ws')}/cdp/${id}?token=${await tokenFor('cdp', id)}`,
        liveViewUrl: isStreamed ? `${view}${await tokenFor('view', id)}` : '',
        interactiveLiveViewUrl: isStreamed ? `${view}${await tokenFor('control', id)}&interactive=true` : '',
      }
    },

    verify: (purpose: Purpose, id: string, token: string): Promise<boolean> =>
      signer.verify(`${purpose} ${id}`, token),
  }
}

export type SessionLinks = ReturnType<typeof sessionLinks>

import { sessionPrice } from '../../accounts/prices.ts'
import { emptyState, readState, restoreState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import { AppError } from '../../platform/errors.ts'
import type { Ending, JobRow } from '../../store/jobs/jobs.ts'
import { findSession, recordActivity, type SessionRow } from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'
import type { AdmittedSession } from './admit.ts'
import { contextOf, isCrashReason, type OpenBrowser, type SessionBrowser } from './browser.ts'
import { type ActiveSession, type SessionEndResult, startSession } from './session-lifecycle.ts'

export interface RegistryDeps
  extends Pick<Deps, 'store' | 'clock' | 'log' | 'holder' | 'recordEnding' | 'profiles'> {
  browsers: OpenBrowser
}

export function createSessionRegistry(deps: RegistryDeps) {
  const activeSessions = new Map<string, ActiveSession>()
  let isStopping = false

  function start(
    { job, session }: AdmittedSession,
    prepare: (browser: SessionBrowser, signal: AbortSignal) => Promise<void>,
  ): ActiveSession {
    const profile = sessionProfile(deps.profiles, session)
    const started = startSession(
      {
        now: deps.clock.now,
        log: deps.log,
        async open({ onActivity, onBrowser, signal }) {
          if (isStopping) throw new AppError('STOPPING')
          await profile.lease()
          const browser = await openBrowser(deps, session.team_id, onActivity)
          onBrowser(browser)
          await profile.restore(browser)
          await prepare(browser, signal)
        },
        beforeClose: (browser) => profile.save(browser),
        async afterEnd(ended) {
          stopRecording()
          await profile.release()
          if (ended.cause !== 'lost') {
            // Another process may have recorded a prompt, so read the row again.
            const row = await findSession(deps.store.query, job.id)
            const prompts = { holder: deps.holder.id, usedPrompt: (row?.used_prompt ?? 0) > 0 }
            await deps.recordEnding(job, sessionEnding(job, ended, prompts))
          }
          deps.holder.release(session.id)
          activeSessions.delete(session.id)
        },
      },
      session,
    )
    activeSessions.set(session.id, started)
    const stopRecording = recordActivities(deps, session, started)
    deps.holder.hold(session.id).addEventListener('abort', () => void started.end('lost'))
    return started
  }

  return {
    start,
    find: (id: string): ActiveSession | undefined => activeSessions.get(id),
    countOpen: () => activeSessions.size,
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...activeSessions.values()].map((session) => session.end('stopped')))
    },
  }
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>

async function openBrowser({ browsers, log }: RegistryDeps, teamId: string, onActivity: () => void) {
  try {
    return await browsers.open({ teamId, onActivity })
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    log.error({ cause: thrown }, 'the browser of a session could not be started')
    throw new AppError('SESSION_FAILED', { phase: 'opening the browser' }, { cause: thrown })
  }
}

const recordIntervalMs = 2000

function recordActivities(
  { store, log }: RegistryDeps,
  session: SessionRow,
  started: Pick<ActiveSession, 'lastActivity'>,
): () => void {
  let recordedAt = session.last_activity
  const timer = setInterval(() => {
    const at = started.lastActivity()
    if (at === recordedAt) return
    recordedAt = at
    recordActivity(store.query, session.id, at).catch((cause) =>
      log.warn({ cause }, 'the last use of a session could not be noted'),
    )
  }, recordIntervalMs)
  return () => clearInterval(timer)
}

/** Creates functions that do nothing without a profile. A profile that is saved requires a lease. */
export function sessionProfile(profiles: Profiles, session: SessionRow) {
  const { team_id: teamId, profile_name: name } = session
  let profileLease: ProfileLease | undefined
  return {
    async lease(): Promise<void> {
      if (name === null || session.profile_save === 0) return
      profileLease = await profiles.lease(teamId, name, session.id)
    },
    async restore(browser: SessionBrowser): Promise<void> {
      if (name === null) return
      const state = await profiles.load(teamId, name)
      // An empty state is restored as well, because restoring starts the tracking of the sites to save.
      await restoreState(await contextOf(browser), state ?? emptyState)
    },
    async save(browser: SessionBrowser): Promise<void> {
      await profileLease?.save(await readState(await contextOf(browser)))
    },
    async release(): Promise<void> {
      await profileLease?.release()
    },
  }
}

export function sessionEnding(
  job: JobRow,
  { cause, error, at, lastActivity }: SessionEndResult,
  { holder, usedPrompt }: { holder: string; usedPrompt: boolean },
): Ending {
  const hasFailed = isCrashReason(cause) || error !== undefined
  const storedError =
    error ?? (hasFailed ? new AppError('SESSION_FAILED', { phase: 'running', cause }) : undefined)
  return {
    ...{ id: job.id, holder, now: at, input: job.input, erase: false },
    ...{ result: null, resultBlob: null, error: storedError?.toStored() },
    state: hasFailed ? 'failed' : 'completed',
    // A session that never became usable is free.
    credits: error ? 0 : sessionPrice({ ms: at - job.created_at, usedPrompt }),
    session: {
      status: hasFailed ? 'error' : 'destroyed',
      reason: error ? error.message : cause,
      lastActivity,
      releasesScrape: error !== undefined,
    },
  }
}

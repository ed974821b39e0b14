import { sessionPrice } from '../../accounts/prices.ts'
import { emptyState, readState, restoreState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Ending, JobRow } from '../../store/jobs/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { findSession, recordActivity, type SessionRow } from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'
import type { Admitted } from './admit.ts'
import { contextOf, isCrashReason, type OpenBrowser, type SessionBrowser } from './browser.ts'
import { type ActiveSession, type SessionEndResult, startSession } from './session-lifecycle.ts'

export interface RegistryDeps
  extends Pick<Deps, 'store' | 'clock' | 'log' | 'holder' | 'recordEnding' | 'profiles'> {
  browsers: OpenBrowser
}

/** The sessions that live in this process, from the moment they are on record until their end is. */
export function createSessionRegistry(deps: RegistryDeps) {
  const living = new Map<string, ActiveSession>()
  let isStopping = false

  /** Starts a session that is on record. It can be found at once; using it waits until it is ready. */
  function start(
    { job, session }: Admitted,
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
          stopNotes()
          await profile.giveBack()
          if (ended.cause !== 'lost') await recordSessionEnd(deps, job, ended)
          deps.holder.release(session.id)
          living.delete(session.id)
        },
      },
      session,
    )
    living.set(session.id, started)
    const stopNotes = noteActivities(deps, session, started)
    deps.holder.hold(session.id).addEventListener('abort', () => void started.end('lost'))
    return started
  }

  return {
    start,
    find: (id: string): ActiveSession | undefined => living.get(id),
    open: () => living.size,
    /** Ends all sessions in good order. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...living.values()].map((session) => session.end('stopped')))
    },
  }
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>

async function openBrowser(
  { browsers, log }: Pick<RegistryDeps, 'browsers' | 'log'>,
  teamId: string,
  onActivity: () => void,
): Promise<SessionBrowser> {
  try {
    return await browsers.open({ teamId, onActivity })
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    log.error({ cause: thrown }, 'the browser of a session could not be started')
    throw new AppError('SESSION_FAILED', { phase: 'opening the browser' }, { cause: thrown })
  }
}

/** How often the store records when a session was last used. */
const noteEvery = 2000

/** Tells the store now and then when a session was last used. Answers how to stop. */
function noteActivities(
  { store, log }: { store: Store; log: Log },
  session: SessionRow,
  started: Pick<ActiveSession, 'lastActivity'>,
): () => void {
  let noted = session.last_activity
  const timer = setInterval(() => {
    const at = started.lastActivity()
    if (at === noted) return
    noted = at
    recordActivity(store.query, session.id, at).catch((cause) =>
      log.warn({ cause }, 'the last use of a session could not be noted'),
    )
  }, noteEvery)
  return () => clearInterval(timer)
}

/** The profile of a session, if it has one, and the right to save it, if it is to. */
export function sessionProfile(profiles: Profiles, session: SessionRow) {
  const { team_id: teamId, profile_name: name } = session
  let right: ProfileLease | undefined
  return {
    /** Takes the right to save. */
    async lease(): Promise<void> {
      if (name === null || session.profile_save === 0) return
      right = await profiles.lease(teamId, name, session.id)
    },
    async restore(browser: SessionBrowser): Promise<void> {
      if (name === null) return
      const state = await profiles.load(teamId, name)
      // Also where nothing was saved yet: from here on it is noted which sites are to be saved.
      await restoreState(await contextOf(browser), state ?? emptyState)
    },
    async save(browser: SessionBrowser): Promise<void> {
      await right?.save(await readState(await contextOf(browser)))
    },
    async giveBack(): Promise<void> {
      await right?.giveBack()
    },
  }
}

type SessionEndingDeps = Pick<Deps, 'store' | 'holder' | 'recordEnding'>

/** Puts on record how a session of this process ended, and charges it. */
async function recordSessionEnd(
  { store, holder, recordEnding }: SessionEndingDeps,
  job: JobRow,
  ended: SessionEndResult,
): Promise<void> {
  // Whether a prompt was run may have been noted by another process.
  const usedPrompt = ((await findSession(store.query, job.id))?.used_prompt ?? 0) > 0
  await recordEnding(job, sessionEnding(job, ended, { holder: holder.id, usedPrompt }))
}

/** What the end of a session comes to: its state, its price, and why it ended. */
export function sessionEnding(
  job: JobRow,
  { cause, error, at, lastActivity }: SessionEndResult,
  { holder, usedPrompt }: { holder: string; usedPrompt: boolean },
): Ending {
  const isBroken = isCrashReason(cause) || error !== undefined
  const problem =
    error ?? (isBroken ? new AppError('SESSION_FAILED', { phase: 'running', cause }) : undefined)
  return {
    id: job.id,
    holder,
    state: isBroken ? 'failed' : 'completed',
    // A session that nobody could use costs nothing.
    credits: error ? 0 : sessionPrice({ ms: at - job.created_at, usedPrompt }),
    result: null,
    resultBlob: null,
    error: problem?.toStored(),
    now: at,
    input: job.input,
    forget: false,
    session: {
      status: isBroken ? 'error' : 'destroyed',
      reason: error ? error.message : cause,
      lastActivity,
      givesScrapeFree: error !== undefined,
    },
  }
}

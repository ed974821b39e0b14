import { sessionPrice } from '../../accounts/prices.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { emptyState, readState, restoreState } from '../../browser/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profiles.ts'
import type { RecordEnding } from '../../jobs/endings.ts'
import type { Holder } from '../../jobs/holder.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { findSession, noteActivity, type SessionRow } from '../../store/sessions.ts'
import type { Admitted } from './admit.ts'
import { contextOf, type OpenBrowser, type SessionBrowser } from './browser.ts'
import { isBreakdown, type LivingSession, type SessionEnded, startSession } from './living.ts'

export interface RegistryNeeds {
  store: Store
  clock: Clock
  log: Log
  holder: Holder
  recordEnding: RecordEnding
  browsers: OpenBrowser
  profiles: Profiles
}

/** How often the store is told when a session was last used. */
const noteEvery = 2000

/** The sessions that live in this process, from the moment they are on record until their end is. */
export function sessionRegistry(needs: RegistryNeeds) {
  const living = new Map<string, LivingSession>()
  let isStopping = false

  /** Starts a session that is on record. It can be found at once; using it waits until it is ready. */
  function start(
    { job, session }: Admitted,
    prepare: (browser: SessionBrowser, signal: AbortSignal) => Promise<void>,
  ): LivingSession {
    let right: ProfileLease | undefined
    const started = startSession(
      {
        now: needs.clock.now,
        log: needs.log,
        async open({ onActivity, onBrowser, signal }) {
          if (isStopping) throw new AppError('STOPPING')
          right = await rightToSave(session)
          const browser = await openBrowser(session.team_id, onActivity)
          onBrowser(browser)
          await restoreProfile(session, browser)
          await prepare(browser, signal)
        },
        async beforeClose(browser) {
          await right?.save(await readState(await contextOf(browser)))
        },
        async afterEnd(ended) {
          clearInterval(notes)
          await right?.giveBack()
          if (ended.cause !== 'lost') await recordEnd(job, ended)
          needs.holder.release(session.id)
          living.delete(session.id)
        },
      },
      session,
    )
    living.set(session.id, started)
    const notes = noteActivities(session, started)
    needs.holder.hold(session.id).addEventListener('abort', () => void started.end('lost'))
    return started
  }

  async function openBrowser(teamId: string, onActivity: () => void): Promise<SessionBrowser> {
    try {
      return await needs.browsers.open({ teamId, onActivity })
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown
      needs.log.error({ cause: thrown }, 'the browser of a session could not be started')
      throw new AppError('SESSION_FAILED', { phase: 'opening the browser' }, { cause: thrown })
    }
  }

  async function rightToSave(session: SessionRow): Promise<ProfileLease | undefined> {
    if (session.profile_name === null || session.profile_save === 0) return undefined
    return needs.profiles.lease(session.team_id, session.profile_name, session.id)
  }

  async function restoreProfile(session: SessionRow, browser: SessionBrowser): Promise<void> {
    if (session.profile_name === null) return
    const state = await needs.profiles.load(session.team_id, session.profile_name)
    // Also where nothing was saved yet: from here on it is noted which sites are to be saved.
    await restoreState(await contextOf(browser), state ?? emptyState)
  }

  function noteActivities(session: SessionRow, started: LivingSession): NodeJS.Timeout {
    let noted = session.last_activity
    return setInterval(() => {
      const at = started.lastActivity()
      if (at === noted) return
      noted = at
      noteActivity(needs.store.query, session.id, at).catch((cause) =>
        needs.log.warn({ cause }, 'the last use of a session could not be noted'),
      )
    }, noteEvery)
  }

  async function recordEnd(job: JobRow, ended: SessionEnded): Promise<void> {
    const { cause, error, at, lastActivity } = ended
    // Whether a prompt was run may have been noted by another process.
    const usedPrompt = ((await findSession(needs.store.query, job.id))?.used_prompt ?? 0) > 0
    const isBroken = isBreakdown(cause) || error !== undefined
    const problem =
      error ?? (isBroken ? new AppError('SESSION_FAILED', { phase: 'running', cause }) : undefined)
    await needs.recordEnding(job, {
      id: job.id,
      holder: needs.holder.id,
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
    })
  }

  return {
    start,
    find: (id: string): LivingSession | undefined => living.get(id),
    open: () => living.size,
    /** Ends all sessions in good order. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...living.values()].map((session) => session.end('stopped')))
    },
  }
}

export type SessionRegistry = ReturnType<typeof sessionRegistry>

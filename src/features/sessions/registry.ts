import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Profiles } from '../../browser/profile/profiles.ts'
import type { RecordEnding } from '../../jobs/endings.ts'
import type { Holder } from '../../jobs/holder.ts'
import type { Store } from '../../store/schema.ts'
import { noteActivities } from './activity-notes.ts'
import type { Admitted } from './admit.ts'
import type { OpenBrowser, SessionBrowser } from './browser.ts'
import { type LivingSession, startSession } from './living.ts'
import { recordSessionEnd } from './session-ending.ts'
import { sessionProfile } from './session-profile.ts'

export interface RegistryNeeds {
  store: Store
  clock: Clock
  log: Log
  holder: Holder
  recordEnding: RecordEnding
  browsers: OpenBrowser
  profiles: Profiles
}

/** The sessions that live in this process, from the moment they are on record until their end is. */
export function sessionRegistry(needs: RegistryNeeds) {
  const living = new Map<string, LivingSession>()
  let isStopping = false

  /** Starts a session that is on record. It can be found at once; using it waits until it is ready. */
  function start(
    { job, session }: Admitted,
    prepare: (browser: SessionBrowser, signal: AbortSignal) => Promise<void>,
  ): LivingSession {
    const profile = sessionProfile(needs.profiles, session)
    const started = startSession(
      {
        now: needs.clock.now,
        log: needs.log,
        async open({ onActivity, onBrowser, signal }) {
          if (isStopping) throw new AppError('STOPPING')
          await profile.lease()
          const browser = await openBrowser(needs, session.team_id, onActivity)
          onBrowser(browser)
          await profile.restore(browser)
          await prepare(browser, signal)
        },
        beforeClose: (browser) => profile.save(browser),
        async afterEnd(ended) {
          stopNotes()
          await profile.giveBack()
          if (ended.cause !== 'lost') await recordSessionEnd(needs, job, ended)
          needs.holder.release(session.id)
          living.delete(session.id)
        },
      },
      session,
    )
    living.set(session.id, started)
    const stopNotes = noteActivities(needs, session, started)
    needs.holder.hold(session.id).addEventListener('abort', () => void started.end('lost'))
    return started
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

async function openBrowser(
  { browsers, log }: Pick<RegistryNeeds, 'browsers' | 'log'>,
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

import { AppError, toAppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { Breakdown, SessionBrowser } from './browser.ts'
import { watchIdle } from './idle-watch.ts'

/** Why a session ends. `lost`: it is no longer this process's own, and what became of it is recorded elsewhere. */
export type EndCause =
  | 'ttl'
  | 'activityTtl'
  | 'deleted'
  | 'closed by client'
  | 'stopped'
  | Breakdown
  | 'failed'
  | 'lost'

export interface SessionEnded {
  cause: EndCause
  at: number
  lastActivity: number
  /** Where the session never became usable: why. */
  error: AppError | undefined
}

export interface LivingNeeds {
  now(): number
  log: Log
  /** Opens the browser and makes it ready. It is handed over as soon as it is there, so that it can be closed. */
  open(hooks: OpenHooks): Promise<void>
  /** What a clean end does before the browser is closed. */
  beforeClose(browser: SessionBrowser): Promise<void>
  /** After the browser has gone, and once. */
  afterEnd(ended: SessionEnded): Promise<void>
}

export interface OpenHooks {
  onActivity(): void
  onBrowser(browser: SessionBrowser): void
  /** Aborts when the session ends before it was ready. */
  signal: AbortSignal
}

/** A session that lives in this process. */
export interface LivingSession {
  id: string
  /** Settles when the session can be used; fails as opening failed. */
  ready: Promise<void>
  /** Uses the browser, as soon as it is ready. Whatever the work waits for, it ends with the session. */
  use<Result>(
    signal: AbortSignal,
    work: (browser: SessionBrowser, signal: AbortSignal) => Promise<Result>,
    /** How long it may take to be ready; undefined: as long as it takes. */
    patienceMs?: number,
  ): Promise<Result>
  /** The browser for somebody who stays connected: being connected is no activity. */
  browser(): Promise<SessionBrowser>
  /** Aborts when the session ends. */
  over: AbortSignal
  /** Ends it, whoever asks first; everybody is answered when it is over. */
  end(cause: EndCause): Promise<void>
  /** Ends it as one that never became usable, if its first use was the only one: that came to nothing, for this reason. */
  abandon(why: AppError): Promise<void>
  lastActivity(): number
}

export function startSession(needs: LivingNeeds, row: SessionRow): LivingSession {
  const over = new AbortController()
  let cause: EndCause | undefined
  let browser: SessionBrowser | undefined
  let ending: Promise<void> | undefined
  let failure: AppError | undefined
  let uses = 0
  const idle = watchIdle(
    { now: needs.now, idleMs: row.activity_ttl * 1000, since: row.last_activity },
    () => void end('activityTtl'),
  )
  const lifetime = setTimeout(() => void end('ttl'), row.expires_at - needs.now())

  const opening = open()
  // Whoever is told that it failed finds it ended, and its place free.
  const ready = opening.catch(async (thrown) => {
    if (ending === undefined) failure = toAppError(thrown)
    await end('failed')
    throw failure ?? refusal()
  })
  ready.catch(() => undefined)

  async function open(): Promise<void> {
    const done = idle.busy()
    const broken = Promise.withResolvers<never>()
    const onBrowser = (opened: SessionBrowser) => {
      browser = opened
      opened.ended.then((how) => {
        if (how === 'closed') return
        broken.reject(new AppError('SESSION_FAILED', { phase: 'opening the browser' }))
        // A browser that goes before it is ready has failed to open, which is told by the line above.
        opening.then(() => end(how === 'closed-by-guest' ? 'closed by client' : how)).catch(() => undefined)
      })
    }
    try {
      await Promise.race([
        needs.open({ onActivity: idle.touch, onBrowser, signal: over.signal }),
        broken.promise,
      ])
    } finally {
      broken.promise.catch(() => undefined)
      done()
    }
  }

  function end(why: EndCause): Promise<void> {
    ending ??= close(why)
    return ending
  }

  async function close(why: EndCause): Promise<void> {
    cause = why
    const at = needs.now()
    const lastActivity = idle.lastActivity()
    clearTimeout(lifetime)
    idle.stop()
    over.abort()
    // A browser that is still starting cannot be called back; it is closed as soon as it is there.
    await opening.catch(() => undefined)
    if (browser && isClean(why))
      await attempt('what a session leaves behind could not be kept', needs.beforeClose(browser))
    if (browser) await attempt('the browser of a session could not be closed', browser.close())
    await attempt(
      'the end of a session could not be recorded',
      needs.afterEnd({ cause: why, at, lastActivity, error: failure }),
    )
  }

  async function attempt(trouble: string, step: Promise<unknown>): Promise<void> {
    await step.catch((thrown) => needs.log.error({ cause: thrown, session: row.id }, trouble))
  }

  function refusal(): AppError {
    // What was running is not known to have run: but a repeated call meets the end of the session, and runs nothing.
    if (isBreakdown(cause)) {
      return new AppError('SESSION_FAILED', { phase: 'running', cause }, { message: toldOf[cause] })
    }
    if (cause === 'stopped') return new AppError('STOPPING')
    return new AppError('SESSION_DESTROYED')
  }

  return {
    id: row.id,
    ready,
    async use(signal, work, patienceMs) {
      if (ending) throw new AppError('SESSION_DESTROYED')
      uses += 1
      const done = idle.busy()
      try {
        await (patienceMs === undefined ? ready : within(ready, patienceMs))
        // It may have ended in the moment it was ready.
        if (!browser || ending) throw new AppError('SESSION_DESTROYED')
        return await untilOver(work(browser, AbortSignal.any([signal, over.signal])))
      } finally {
        done()
      }
    },
    async browser() {
      uses += 1
      await ready
      if (!browser || ending) throw new AppError('SESSION_DESTROYED')
      return browser
    },
    over: over.signal,
    end,
    async abandon(why) {
      if (ending || uses > 1) return
      failure = why
      await end('failed')
    },
    lastActivity: idle.lastActivity,
  }

  /** The work, or the end of the session if that comes first. */
  function untilOver<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(refusal())
      over.signal.addEventListener('abort', ended, { once: true })
      work
        .then(resolve, (thrown) => reject(over.signal.aborted ? refusal() : thrown))
        .finally(() => over.signal.removeEventListener('abort', ended))
    })
  }
}

/** The session goes on becoming ready when a caller cannot wait any longer. */
async function within(ready: Promise<void>, patienceMs: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      late.reject(new AppError('INTERACT_TIMEOUT', { phase: 'opening the page' }, { message: stillOpening })),
    Math.max(0, patienceMs),
  )
  try {
    await Promise.race([ready, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const stillOpening =
  'The page of the scrape was still being opened when the time was up, and nothing was run. Call again: it goes on meanwhile.'

const toldOf: Record<Breakdown, string> = {
  crashed: 'The browser of the session has crashed, and the session with it. Start a new one.',
  'out of memory':
    'The browser of the session took more memory than SESSION_MEMORY_MB allows and was ended, and the session with it. Start a new one.',
  flooded:
    'The session was ended, as its clients did not stop to send DevTools messages that are refused. Start a new one.',
}

export function isBreakdown(cause: EndCause | undefined): cause is Breakdown {
  return cause !== undefined && Object.hasOwn(toldOf, cause)
}

/** After a crash there is nothing left to keep, and what is lost belongs to somebody else. */
function isClean(cause: EndCause): boolean {
  return !isBreakdown(cause) && cause !== 'failed' && cause !== 'lost'
}

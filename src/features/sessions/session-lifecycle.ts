import { AppError, toAppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { SessionRow } from '../../store/sessions.ts'
import { type EndCause, isClean, type SessionBrowser, sessionEndError } from './browser.ts'

export interface SessionEndResult {
  cause: EndCause
  at: number
  lastActivity: number
  /** Where the session never became usable: why. */
  error: AppError | undefined
}

export interface SessionLifecycleDeps {
  now(): number
  log: Log
  /** Opens the browser and makes it ready. It is handed over as soon as it is there, so that it can be closed. */
  open(hooks: OpenHooks): Promise<void>
  /** What a clean end does before the browser is closed. */
  beforeClose(browser: SessionBrowser): Promise<void>
  /** After the browser has gone, and once. */
  afterEnd(ended: SessionEndResult): Promise<void>
}

interface OpenHooks {
  onActivity(): void
  onBrowser(browser: SessionBrowser): void
  /** Aborts when the session ends before it was ready. */
  signal: AbortSignal
}

/** A session that lives in this process. */
export interface ActiveSession {
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
  /** Ends it; the first call decides the cause, and every call resolves when it is over. */
  end(cause: EndCause): Promise<void>
  /** Ends it as one that never became usable, if its first use was the only one: that came to nothing, for this reason. */
  abandon(why: AppError): Promise<void>
  lastActivity(): number
}

export function startSession(deps: SessionLifecycleDeps, row: SessionRow): ActiveSession {
  return new Life(deps, row)
}

/** From opening, through its uses, to one end. */
class Life implements ActiveSession {
  readonly id: string
  readonly ready: Promise<void>
  readonly #needs: SessionLifecycleDeps
  readonly #over = new AbortController()
  readonly #idle: IdleWatch
  readonly #lifetime: NodeJS.Timeout
  readonly #opening: Promise<void>
  #browser: SessionBrowser | undefined
  #cause: EndCause | undefined
  #ending: Promise<void> | undefined
  #failure: AppError | undefined
  #uses = 0

  constructor(deps: SessionLifecycleDeps, row: SessionRow) {
    this.id = row.id
    this.#needs = deps
    this.#idle = watchIdle(
      { now: deps.now, idleMs: row.activity_ttl * 1000, since: row.last_activity },
      () => void this.end('activityTtl'),
    )
    this.#lifetime = setTimeout(() => void this.end('ttl'), row.expires_at - deps.now())
    this.#opening = this.#open()
    // A caller that learns of the failure finds the session ended, and its place free.
    this.ready = this.#opening.catch(async (thrown) => {
      if (this.#ending === undefined) this.#failure = toAppError(thrown)
      await this.end('failed')
      throw this.#failure ?? sessionEndError(this.#cause)
    })
    this.ready.catch(() => undefined)
  }

  get over(): AbortSignal {
    return this.#over.signal
  }

  async use<Result>(
    signal: AbortSignal,
    work: (browser: SessionBrowser, signal: AbortSignal) => Promise<Result>,
    patienceMs?: number,
  ): Promise<Result> {
    if (this.#ending) throw new AppError('SESSION_DESTROYED')
    this.#uses += 1
    const done = this.#idle.busy()
    try {
      await (patienceMs === undefined ? this.ready : within(this.ready, patienceMs))
      return await this.#untilOver(work(this.#living(), AbortSignal.any([signal, this.over])))
    } finally {
      done()
    }
  }

  async browser(): Promise<SessionBrowser> {
    this.#uses += 1
    await this.ready
    return this.#living()
  }

  end(why: EndCause): Promise<void> {
    this.#ending ??= this.#close(why)
    return this.#ending
  }

  async abandon(why: AppError): Promise<void> {
    if (this.#ending || this.#uses > 1) return
    this.#failure = why
    await this.end('failed')
  }

  lastActivity(): number {
    return this.#idle.lastActivity()
  }

  async #open(): Promise<void> {
    const done = this.#idle.busy()
    const broken = Promise.withResolvers<never>()
    const onBrowser = (opened: SessionBrowser) => {
      this.#browser = opened
      opened.ended.then((how) => {
        if (how === 'closed') return
        broken.reject(new AppError('SESSION_FAILED', { phase: 'opening the browser' }))
        // A browser that goes before it is ready has failed to open, which the line above reports.
        this.#opening
          .then(() => this.end(how === 'closed-by-guest' ? 'closed by client' : how))
          .catch(() => undefined)
      })
    }
    try {
      await Promise.race([
        this.#needs.open({ onActivity: this.#idle.touch, onBrowser, signal: this.over }),
        broken.promise,
      ])
    } finally {
      broken.promise.catch(() => undefined)
      done()
    }
  }

  /** The browser of a session that was ready a moment ago: it may have ended in that moment. */
  #living(): SessionBrowser {
    if (!this.#browser || this.#ending) throw new AppError('SESSION_DESTROYED')
    return this.#browser
  }

  /** The work, or the end of the session if that comes first. */
  #untilOver<Result>(work: Promise<Result>): Promise<Result> {
    const refusal = () => sessionEndError(this.#cause)
    return new Promise((resolve, reject) => {
      const ended = () => reject(refusal())
      this.over.addEventListener('abort', ended, { once: true })
      work
        .then(resolve, (thrown) => reject(this.over.aborted ? refusal() : thrown))
        .finally(() => this.over.removeEventListener('abort', ended))
    })
  }

  async #close(why: EndCause): Promise<void> {
    this.#cause = why
    const at = this.#needs.now()
    const lastActivity = this.lastActivity()
    clearTimeout(this.#lifetime)
    this.#idle.stop()
    this.#over.abort()
    // A browser that is still starting cannot be called back; it is closed as soon as it is there.
    await this.#opening.catch(() => undefined)
    const browser = this.#browser
    if (browser && isClean(why))
      await this.#attempt('the state of a session could not be saved', this.#needs.beforeClose(browser))
    if (browser) await this.#attempt('the browser of a session could not be closed', browser.close())
    await this.#attempt(
      'the end of a session could not be recorded',
      this.#needs.afterEnd({ cause: why, at, lastActivity, error: this.#failure }),
    )
  }

  async #attempt(trouble: string, step: Promise<unknown>): Promise<void> {
    await step.catch((thrown) => this.#needs.log.error({ cause: thrown, session: this.id }, trouble))
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
  'The page of the scrape was still opening when the timeout was reached, and nothing ran. Call again: the page continues to open.'

/** Tells when a session has been left alone for too long. Work that is under way counts as activity until it ends. */
interface IdleWatch {
  /** Somebody used the session. */
  touch(): void
  /** Until the answer is called, the session is in use. */
  busy(): () => void
  lastActivity(): number
  stop(): void
}

function watchIdle(deps: { now(): number; idleMs: number; since: number }, onIdle: () => void): IdleWatch {
  let last = deps.since
  let running = 0
  let timer = setTimeout(look, deps.idleMs)
  // One timer that looks again, not one per message: a busy DevTools client sends thousands in a second.
  function look(): void {
    const left = last + deps.idleMs - deps.now()
    if (running === 0 && left <= 0) onIdle()
    else timer = setTimeout(look, running > 0 ? deps.idleMs : left)
  }
  const touch = () => {
    last = deps.now()
  }
  return {
    touch,
    busy() {
      touch()
      running += 1
      return () => {
        running -= 1
        touch()
        if (running > 0) return
        // While work was under way, the timer looked only now and then.
        clearTimeout(timer)
        timer = setTimeout(look, deps.idleMs)
      }
    },
    lastActivity: () => last,
    stop: () => {
      clearTimeout(timer)
      running = Number.POSITIVE_INFINITY
    },
  }
}

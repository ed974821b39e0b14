import { AppError, toAppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { SessionRow } from '../../store/sessions.ts'
import { type EndCause, isClean, type SessionBrowser, sessionEndError } from './browser.ts'

export interface SessionEndResult {
  cause: EndCause
  at: number
  lastActivity: number
  error: AppError | undefined
}

interface SessionLifecycleDeps {
  now(): number
  log: Log
  open(hooks: OpenHooks): Promise<void>
  beforeClose(browser: SessionBrowser): Promise<void>
  afterEnd(ended: SessionEndResult): Promise<void>
}

interface OpenHooks {
  onActivity(): void
  onBrowser(browser: SessionBrowser): void
  signal: AbortSignal
}

export type ActiveSession = Pick<LocalSession, keyof LocalSession>

export function startSession(deps: SessionLifecycleDeps, row: SessionRow): ActiveSession {
  return new LocalSession(deps, row)
}

class LocalSession {
  readonly id: string
  readonly ready: Promise<void>
  readonly #deps: SessionLifecycleDeps
  readonly #endController = new AbortController()
  readonly #idle: ReturnType<typeof watchIdle>
  readonly #lifetime: NodeJS.Timeout
  readonly #opening: Promise<void>
  #browser: SessionBrowser | undefined
  #cause: EndCause | undefined
  #ending: Promise<void> | undefined
  #failure: AppError | undefined
  #uses = 0

  constructor(deps: SessionLifecycleDeps, row: SessionRow) {
    this.id = row.id
    this.#deps = deps
    this.#idle = watchIdle(
      { now: deps.now, idleMs: row.activity_ttl * 1000, since: row.last_activity },
      () => void this.end('activityTtl'),
    )
    this.#lifetime = setTimeout(() => void this.end('ttl'), row.expires_at - deps.now())
    this.#opening = this.#open()
    // The session ends before `ready` rejects, so that its slot is free when the caller receives the error.
    this.ready = this.#opening.catch(async (thrown) => {
      if (this.#ending === undefined) this.#failure = toAppError(thrown)
      await this.end('failed')
      throw this.#failure ?? sessionEndError(this.#cause)
    })
    this.ready.catch(() => undefined)
  }

  get endSignal(): AbortSignal {
    return this.#endController.signal
  }

  async use<Result>(
    signal: AbortSignal,
    work: (browser: SessionBrowser, signal: AbortSignal) => Promise<Result>,
    readyTimeoutMs?: number,
  ): Promise<Result> {
    if (this.#ending) throw new AppError('SESSION_DESTROYED')
    this.#uses += 1
    const release = this.#idle.busy()
    try {
      await (readyTimeoutMs === undefined ? this.ready : waitUntilReady(this.ready, readyTimeoutMs))
      return await this.#untilEnd(work(this.#requireBrowser(), AbortSignal.any([signal, this.endSignal])))
    } finally {
      release()
    }
  }

  /** Returns the browser for a client that stays connected. A connection alone does not count as activity. */
  async browser(): Promise<SessionBrowser> {
    this.#uses += 1
    await this.ready
    return this.#requireBrowser()
  }

  /** The first call determines the cause; every call resolves when the session has ended. */
  end(endCause: EndCause): Promise<void> {
    this.#ending ??= this.#close(endCause)
    return this.#ending
  }

  /** Ends the session as failed, so that it is free. No effect if it was used more than once. */
  async abandon(endCause: AppError): Promise<void> {
    if (this.#ending || this.#uses > 1) return
    this.#failure = endCause
    await this.end('failed')
  }

  lastActivity(): number {
    return this.#idle.lastActivity()
  }

  async #open(): Promise<void> {
    const release = this.#idle.busy()
    const broken = Promise.withResolvers<never>()
    const onBrowser = (opened: SessionBrowser) => {
      this.#browser = opened
      opened.ended.then((outcome) => {
        if (outcome === 'closed') return
        broken.reject(new AppError('SESSION_FAILED', { phase: 'opening the browser' }))
        // If the browser exits before it is ready, the rejection of `broken` fails the opening instead.
        this.#opening
          .then(() => this.end(outcome === 'closed-by-guest' ? 'closed by client' : outcome))
          .catch(() => undefined)
      })
    }
    try {
      await Promise.race([
        this.#deps.open({ onActivity: this.#idle.touch, onBrowser, signal: this.endSignal }),
        broken.promise,
      ])
    } finally {
      broken.promise.catch(() => undefined)
      release()
    }
  }

  #requireBrowser(): SessionBrowser {
    if (!this.#browser || this.#ending) throw new AppError('SESSION_DESTROYED')
    return this.#browser
  }

  #untilEnd<Result>(work: Promise<Result>): Promise<Result> {
    const endError = () => sessionEndError(this.#cause)
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(endError())
      this.endSignal.addEventListener('abort', onEnd, { once: true })
      work
        .then(resolve, (thrown) => reject(this.endSignal.aborted ? endError() : thrown))
        .finally(() => this.endSignal.removeEventListener('abort', onEnd))
    })
  }

  async #close(endCause: EndCause): Promise<void> {
    this.#cause = endCause
    const at = this.#deps.now()
    const lastActivity = this.lastActivity()
    clearTimeout(this.#lifetime)
    this.#idle.stop()
    this.#endController.abort()
    // A starting browser cannot be cancelled; it is closed as soon as it runs.
    await this.#opening.catch(() => undefined)
    const browser = this.#browser
    if (browser && isClean(endCause))
      await this.#attempt('the state of a session could not be saved', this.#deps.beforeClose(browser))
    if (browser) await this.#attempt('the browser of a session could not be closed', browser.close())
    await this.#attempt(
      'the end of a session could not be recorded',
      this.#deps.afterEnd({ cause: endCause, at, lastActivity, error: this.#failure }),
    )
  }

  async #attempt(failureMessage: string, step: Promise<unknown>): Promise<void> {
    await step.catch((thrown) => this.#deps.log.error({ cause: thrown, session: this.id }, failureMessage))
  }
}

async function waitUntilReady(ready: Promise<void>, readyTimeoutMs: number): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const onTimeout = () => {
    const phase = 'opening the page'
    timeout.reject(new AppError('INTERACT_TIMEOUT', { phase }, { message: stillOpeningMessage }))
  }
  const timer = setTimeout(onTimeout, Math.max(0, readyTimeoutMs))
  try {
    await Promise.race([ready, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const stillOpeningMessage =
  'The page of the scrape was still opening when the timeout was reached, and nothing ran. Call again: the page continues to open.'

function watchIdle(deps: { now(): number; idleMs: number; since: number }, onIdle: () => void) {
  let lastActivityAt = deps.since
  let running = 0
  let timer = setTimeout(checkIdle, deps.idleMs)
  // A timer per message would be slow, because a CDP client sends thousands of messages per second.
  function checkIdle(): void {
    const remainingMs = lastActivityAt + deps.idleMs - deps.now()
    if (running === 0 && remainingMs <= 0) onIdle()
    else timer = setTimeout(checkIdle, running > 0 ? deps.idleMs : remainingMs)
  }
  const touch = () => {
    lastActivityAt = deps.now()
  }
  return {
    touch,
    busy(): () => void {
      touch()
      running += 1
      return () => {
        running -= 1
        touch()
        if (running > 0) return
        // The timer fires rarely while work is running, so restart it with the full idle time.
        clearTimeout(timer)
        timer = setTimeout(checkIdle, deps.idleMs)
      }
    },
    lastActivity: () => lastActivityAt,
    stop: () => {
      clearTimeout(timer)
      running = Number.POSITIVE_INFINITY
    },
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { silentLog } from '../../platform/log.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { SessionBrowser } from './browser.ts'
import { type SessionEndResult, startSession } from './session-lifecycle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type How = 'closed' | 'closed-by-guest' | 'crashed'

/** A session whose browser is an object that says what was done with it. */
function scene(options: { fails?: Error; opens?: Promise<void> } = {}) {
  const steps: string[] = []
  const gone = Promise.withResolvers<How>()
  let ended: SessionEndResult | undefined
  const hooks = { touch: () => {} }
  const browser = {
    ended: gone.promise,
    async close() {
      steps.push('close')
      gone.resolve('closed')
    },
  }
  const now = Date.now()
  const row = { id: 'one', ttl: 60, activity_ttl: 10, last_activity: now, expires_at: now + 60_000 }
  const session = startSession(
    {
      now: Date.now,
      log: silentLog,
      async open({ onActivity, onBrowser }) {
        hooks.touch = onActivity
        // What a session needs of its browser here is its end.
        onBrowser(browser as SessionBrowser)
        await options.opens
        if (options.fails) throw options.fails
      },
      async beforeClose() {
        steps.push('save')
      },
      async afterEnd(what) {
        steps.push('record')
        ended = what
      },
    },
    // The rest of the row is not looked at.
    row as SessionRow,
  )
  return { session, steps, gone, touch: () => hooks.touch(), ended: () => ended }
}

const idle = new AbortController().signal

describe('a living session', () => {
  it('saves, closes and records, once, however many calls end it', async () => {
    const { session, steps, ended } = scene()
    await session.ready
    await Promise.all([session.end('deleted'), session.end('ttl'), session.end('stopped')])
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.cause).toBe('deleted')
    await expect(session.use(idle, async () => 1)).rejects.toMatchObject({ code: 'SESSION_DESTROYED' })
  })

  it('ends with its ttl, however busy it is', async () => {
    const { session, touch, ended } = scene()
    await session.ready
    for (let second = 0; second < 59; second += 1) {
      await vi.advanceTimersByTimeAsync(1000)
      touch()
    }
    expect(ended()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1000)
    expect(ended()?.cause).toBe('ttl')
  })

  it('ends when nothing happens for long enough after the last activity', async () => {
    const { session, touch, ended } = scene()
    await session.ready
    await vi.advanceTimersByTimeAsync(7000)
    touch()
    await vi.advanceTimersByTimeAsync(9999)
    expect(ended()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended()?.cause).toBe('activityTtl')
  })

  it('is in use while work is under way, and idle from its end', async () => {
    const { session, ended } = scene()
    await session.ready
    const work = Promise.withResolvers<void>()
    const used = session.use(idle, () => work.promise)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(ended()).toBeUndefined()
    work.resolve()
    await used
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ended()?.cause).toBe('activityTtl')
  })

  it('fails what runs when the browser crashes, and saves nothing', async () => {
    const { session, steps, gone, ended } = scene()
    await session.ready
    const used = session.use(idle, () => new Promise(() => {}))
    const refused = expect(used).rejects.toMatchObject({ code: 'SESSION_FAILED' })
    gone.resolve('crashed')
    await refused
    await vi.advanceTimersByTimeAsync(0)
    expect(steps).toEqual(['close', 'record'])
    expect(ended()?.cause).toBe('crashed')
  })

  it('ends in good order when a client closes the browser', async () => {
    const { session, steps, gone, ended } = scene()
    await session.ready
    gone.resolve('closed-by-guest')
    await vi.advanceTimersByTimeAsync(0)
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.cause).toBe('closed by client')
  })

  it('has ended when it tells that it could not be opened', async () => {
    const { session, steps, ended } = scene({ fails: new AppError('REPLAY_UNAVAILABLE') })
    await expect(session.use(idle, async () => 1)).rejects.toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
    expect(steps).toEqual(['close', 'record'])
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'REPLAY_UNAVAILABLE' } })
  })

  it('closes a browser that was still being opened when it was deleted', async () => {
    const opening = Promise.withResolvers<void>()
    const { session, steps, ended } = scene({ opens: opening.promise })
    const over = session.end('deleted')
    opening.resolve()
    await over
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.error).toBeUndefined()
  })

  it('has failed to open when its browser crashes before it is ready', async () => {
    const { session, gone, ended } = scene({ opens: new Promise(() => {}) })
    gone.resolve('crashed')
    await expect(session.ready).rejects.toMatchObject({ code: 'SESSION_FAILED' })
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'SESSION_FAILED' } })
  })

  it('goes on being opened when a caller cannot wait any longer', async () => {
    const opening = Promise.withResolvers<void>()
    const { session } = scene({ opens: opening.promise })
    const late = expect(session.use(idle, async () => 1, 500)).rejects.toMatchObject({
      code: 'INTERACT_TIMEOUT',
    })
    await vi.advanceTimersByTimeAsync(500)
    await late
    opening.resolve()
    expect(await session.use(idle, async () => 2)).toBe(2)
  })

  it('can be abandoned by its only user, as one that never was usable', async () => {
    const { session, ended } = scene()
    await session.use(idle, async () => 1)
    await session.abandon(new AppError('MODEL_FAILED'))
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'MODEL_FAILED' } })
  })

  it('is not abandoned when somebody else has used it', async () => {
    const { session, ended } = scene()
    await session.use(idle, async () => 1)
    await session.browser()
    await session.abandon(new AppError('MODEL_FAILED'))
    expect(ended()).toBeUndefined()
  })
})

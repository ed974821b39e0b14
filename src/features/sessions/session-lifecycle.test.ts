import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { silentLog } from '../../platform/log.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { SessionBrowser } from './browser.ts'
import { type SessionEndResult, startSession } from './session-lifecycle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type EndOutcome = 'closed' | 'closed-by-guest' | 'crashed'

/** Starts a session with a fake browser that records the calls. */
function scene(options: { fails?: Error; opens?: Promise<void> } = {}) {
  const steps: string[] = []
  const browserEnd = Promise.withResolvers<EndOutcome>()
  let endResult: SessionEndResult | undefined
  const hooks = { touch: () => {} }
  const browser = {
    ended: browserEnd.promise,
    async close() {
      steps.push('close')
      browserEnd.resolve('closed')
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
        // Only the end of the browser is used here.
        onBrowser(browser as SessionBrowser)
        await options.opens
        if (options.fails) throw options.fails
      },
      async beforeClose() {
        steps.push('save')
      },
      async afterEnd(result) {
        steps.push('record')
        endResult = result
      },
    },
    // The other columns are not read.
    row as SessionRow,
  )
  return { session, steps, gone: browserEnd, touch: () => hooks.touch(), ended: () => endResult }
}

const idle = new AbortController().signal

describe('startSession', () => {
  it('saves, closes and records once, even with concurrent end calls', async () => {
    const { session, steps, ended } = scene()
    await session.ready
    await Promise.all([session.end('deleted'), session.end('ttl'), session.end('stopped')])
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.cause).toBe('deleted')
    await expect(session.use(idle, async () => 1)).rejects.toMatchObject({ code: 'SESSION_DESTROYED' })
  })

  it('ends at its ttl despite activity', async () => {
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

  it('ends activityTtl after the last activity', async () => {
    const { session, touch, ended } = scene()
    await session.ready
    await vi.advanceTimersByTimeAsync(7000)
    touch()
    await vi.advanceTimersByTimeAsync(9999)
    expect(ended()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended()?.cause).toBe('activityTtl')
  })

  it('is active while work runs, and idle after its end', async () => {
    const { session, ended } = scene()
    await session.ready
    const work = Promise.withResolvers<void>()
    const running = session.use(idle, () => work.promise)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(ended()).toBeUndefined()
    work.resolve()
    await running
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ended()?.cause).toBe('activityTtl')
  })

  it('fails running work when the browser crashes, and saves nothing', async () => {
    const { session, steps, gone: browserEnd, ended } = scene()
    await session.ready
    const running = session.use(idle, () => new Promise(() => {}))
    const expected = expect(running).rejects.toMatchObject({ code: 'SESSION_FAILED' })
    browserEnd.resolve('crashed')
    await expected
    await vi.advanceTimersByTimeAsync(0)
    expect(steps).toEqual(['close', 'record'])
    expect(ended()?.cause).toBe('crashed')
  })

  it('saves and ends when a client closes the browser', async () => {
    const { session, steps, gone: browserEnd, ended } = scene()
    await session.ready
    browserEnd.resolve('closed-by-guest')
    await vi.advanceTimersByTimeAsync(0)
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.cause).toBe('closed by client')
  })

  it('has ended before the error of opening is thrown', async () => {
    const { session, steps, ended } = scene({ fails: new AppError('REPLAY_UNAVAILABLE') })
    await expect(session.use(idle, async () => 1)).rejects.toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
    expect(steps).toEqual(['close', 'record'])
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'REPLAY_UNAVAILABLE' } })
  })

  it('closes a browser that was still opening when the session was deleted', async () => {
    const opening = Promise.withResolvers<void>()
    const { session, steps, ended } = scene({ opens: opening.promise })
    const ending = session.end('deleted')
    opening.resolve()
    await ending
    expect(steps).toEqual(['save', 'close', 'record'])
    expect(ended()?.error).toBeUndefined()
  })

  it('fails to open if the browser crashes before it is ready', async () => {
    const { session, gone: browserEnd, ended } = scene({ opens: new Promise(() => {}) })
    browserEnd.resolve('crashed')
    await expect(session.ready).rejects.toMatchObject({ code: 'SESSION_FAILED' })
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'SESSION_FAILED' } })
  })

  it('continues to open after the timeout of a caller', async () => {
    const opening = Promise.withResolvers<void>()
    const { session } = scene({ opens: opening.promise })
    const timedOut = expect(session.use(idle, async () => 1, 500)).rejects.toMatchObject({
      code: 'INTERACT_TIMEOUT',
    })
    await vi.advanceTimersByTimeAsync(500)
    await timedOut
    opening.resolve()
    expect(await session.use(idle, async () => 2)).toBe(2)
  })

  it('is marked as failed if its only user abandons it', async () => {
    const { session, ended } = scene()
    await session.use(idle, async () => 1)
    await session.abandon(new AppError('MODEL_FAILED'))
    expect(ended()).toMatchObject({ cause: 'failed', error: { code: 'MODEL_FAILED' } })
  })

  it('is not abandoned if it has another user', async () => {
    const { session, ended } = scene()
    await session.use(idle, async () => 1)
    await session.browser()
    await session.abandon(new AppError('MODEL_FAILED'))
    expect(ended()).toBeUndefined()
  })
})

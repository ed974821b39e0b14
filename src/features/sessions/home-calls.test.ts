import { describe, expect, it } from 'vitest'
import type { SessionBrowser } from './browser.ts'
import type { EndCause } from './end-cause.ts'
import { homeCalls } from './home-calls.ts'
import type { LivingSession } from './living.ts'

/** A session that says what was asked of it; its browser counts the time a run is given. */
function scene() {
  const asked: { patienceMs?: number | undefined; timeoutMs?: number; end?: EndCause } = {}
  const browser = {
    code: {
      async run(order: { timeoutMs: number }) {
        asked.timeoutMs = order.timeoutMs
        return { stdout: 'done' }
      },
    },
  }
  const session = {
    id: 'one',
    use(signal, work, patienceMs) {
      asked.patienceMs = patienceMs
      // What runs here only looks at the time.
      return work(browser as unknown as SessionBrowser, signal)
    },
    async end(cause) {
      asked.end = cause
    },
    // Nothing else is asked of it.
  } as LivingSession
  return { session, asked }
}

const signal = new AbortController().signal
const code = { code: '1', language: 'node', timeoutMs: 30_000 } as const

describe('calls of a session that lives here', () => {
  it('give code all of its time where the caller waits as long as it takes', async () => {
    const { session, asked } = scene()
    await homeCalls(undefined).execute({ ...code, budgetMs: null }, session, signal)
    expect(asked).toEqual({ patienceMs: undefined, timeoutMs: 30_000 })
  })

  it('leave room for a run in the time of the caller', async () => {
    const { session, asked } = scene()
    await homeCalls(undefined).execute({ ...code, budgetMs: 5000 }, session, signal)
    expect(asked.patienceMs).toBe(4000)
    expect(asked.timeoutMs).toBeLessThanOrEqual(5000)
  })

  it('give a run a moment, however little time its caller has', async () => {
    const { session, asked } = scene()
    await homeCalls(undefined).execute({ ...code, budgetMs: 10 }, session, signal)
    expect(asked.timeoutMs).toBe(1000)
  })

  it('carry out a prompt in the name of the session', async () => {
    const { session } = scene()
    const calls = homeCalls(async (_, { prompt, teamId, jobId }) => ({
      ...{ output: `${jobId} of ${teamId}: ${prompt}`, result: '', stdout: '', steps: 1 },
    }))
    const { output } = await calls.prompt(
      { prompt: 'look', teamId: 'blue', timeoutMs: 1000, budgetMs: null },
      session,
      signal,
    )
    expect(output).toBe('one of blue: look')
  })

  it('end it as its owner does', async () => {
    const { session, asked } = scene()
    expect(await homeCalls(undefined).end({}, session, signal)).toBeNull()
    expect(asked.end).toBe('deleted')
  })
})

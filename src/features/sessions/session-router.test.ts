import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerAnswer, PeerGone, PeerUnreachable } from '../../fetch/network/peer.ts'
import { AppError } from '../../platform/errors.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import type { EndCause, SessionBrowser } from './browser.ts'
import type { ActiveSession } from './session-lifecycle.ts'
import {
  asAnswer,
  callPeer,
  createSessionCalls,
  createSessionRouter,
  peerTokens,
  type SessionRouterDeps,
} from './session-router.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-home-'))
let store: Store
beforeAll(async () => {
  store = sqliteDatabase<Tables>(join(folder, 'winnow.sqlite'))
  await migrate(store)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A process where one session lives; other processes are lost in the middle of every call. */
function scene() {
  const ended: string[] = []
  const living = { end: async (cause: string) => void ended.push(cause) }
  const deps = {
    ...{ store, holder: { id: 'me' }, agent: undefined },
    registry: { find: (id: string) => (id === 'one' ? living : undefined) },
    peers: { post: () => Promise.reject(new PeerGone()), close: async () => undefined },
  }
  // Nothing else is asked of the holder, the registry and the session.
  return { home: createSessionRouter(deps as unknown as SessionRouterDeps), ended }
}

const signal = new AbortController().signal
const at = (holder: string, id = 'one') => ({ id, holder, home: `http://${holder}` })

describe('the home of a session', () => {
  it('is asked here when it is here', async () => {
    const { home, ended } = scene()
    expect(await home.ask(at('me'), 'end', {}, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
  })

  it('is gone when this process should have it and does not', async () => {
    const { home } = scene()
    const asked = home.ask(at('me', 'two'), 'end', {}, signal)
    await expect(asked).rejects.toMatchObject({ code: 'SESSION_DESTROYED' })
  })

  it('says that a call was interrupted when another process is lost, unless its caller has gone', async () => {
    const { home } = scene()
    const asked = home.ask(at('other'), 'end', {}, signal)
    await expect(asked).rejects.toMatchObject({ code: 'JOB_INTERRUPTED' })
    const left = home.ask(at('other'), 'end', {}, AbortSignal.abort())
    await expect(left).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })

  it('serves those who know the token of this very process, and calls that there are', async () => {
    const { home, ended } = scene()
    const { tokenFor } = peerTokens({ store, holder: { id: 'other' } })
    const call = { id: 'one', name: 'end', input: {}, token: await tokenFor('me') }
    expect(await home.serve(call, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
    const refused = { code: 'UNAUTHORIZED' }
    for (const wrong of [
      { token: await tokenFor('other') },
      { token: '' },
      { name: 'shell' },
      { name: 'toString' },
    ])
      await expect(home.serve({ ...call, ...wrong }, signal)).rejects.toMatchObject(refused)
  })
})

/** A session that says what was asked of it; its browser counts the time a run is given. */
function localScene() {
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
  } as ActiveSession
  return { session, asked }
}

const code = { code: '1', language: 'node', timeoutMs: 30_000 } as const

describe('calls of a session that lives here', () => {
  it('give code all of its time where the caller waits as long as it takes', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: null }, session, signal)
    expect(asked).toEqual({ patienceMs: undefined, timeoutMs: 30_000 })
  })

  it('leave room for a run in the time of the caller', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: 5000 }, session, signal)
    expect(asked.patienceMs).toBe(4000)
    expect(asked.timeoutMs).toBeLessThanOrEqual(5000)
  })

  it('give a run a moment, however little time its caller has', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: 10 }, session, signal)
    expect(asked.timeoutMs).toBe(1000)
  })

  it('carry out a prompt in the name of the session', async () => {
    const { session } = localScene()
    const calls = createSessionCalls(async (_, { prompt, teamId, jobId }) => ({
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
    const { session, asked } = localScene()
    expect(await createSessionCalls(undefined).end({}, session, signal)).toBeNull()
    expect(asked.end).toBe('deleted')
  })
})

const session = { id: 'one', home: 'http://other:3002', holder: 'other' }

/** Asks a process that gives this answer, and says what it was asked. */
async function ask(answer: PeerAnswer) {
  const asked: unknown[] = []
  const peers = {
    async post(...call: unknown[]) {
      asked.push(...call.slice(0, 3))
      return answer
    },
    close: async () => undefined,
  }
  const tokens = { tokenFor: async (holder: string) => `for ${holder}` }
  const end = { name: 'end' as const, input: {} }
  const output = callPeer({ peers, tokens }, session, end, new AbortController().signal)
  return { output: await output.catch((thrown) => thrown), asked }
}

describe('asking a session in another process', () => {
  it('names the call and shows a token for that process', async () => {
    const { output, asked } = await ask({ status: 200, body: { success: true, output: null } })
    expect(output).toBeNull()
    expect(asked).toEqual([
      { url: 'http://other:3002', token: 'for other' },
      '/internal/sessions/one/end',
      {},
    ])
  })

  it.each([
    ['an error as it is', 'INTERACT_TIMEOUT', 'INTERACT_TIMEOUT'],
    ['an unknown error as our own', 'NO_SUCH_CODE', 'INTERNAL'],
    ['another process in its place as the end of the session', 'UNAUTHORIZED', 'SESSION_DESTROYED'],
  ])('takes %s', async (_, code, expected) => {
    const { output } = await ask({ status: 500, body: { success: false, code, error: 'words', phase: 'x' } })
    expect(output).toBeInstanceOf(AppError)
    expect(output.code).toBe(expected)
  })

  it('keeps the words and the detail of an error', async () => {
    const body = { success: false, code: 'SESSION_FAILED', error: 'It has crashed.', phase: 'running' }
    const { output } = await ask({ status: 502, body })
    expect(output).toMatchObject({ message: 'It has crashed.', detail: { phase: 'running' } })
  })

  it('tells a call that was never sent from one that was lost', () => {
    expect(asAnswer(new PeerUnreachable())).toMatchObject({
      code: 'SESSION_FAILED',
      detail: { phase: 'reaching the session' },
    })
    expect(asAnswer(new PeerGone())).toMatchObject({ code: 'JOB_INTERRUPTED' })
    const other = new Error('something else')
    expect(asAnswer(other)).toBe(other)
  })
})

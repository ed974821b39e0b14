import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PeerDisconnectedError, type PeerResponse, PeerUnreachableError } from '../../fetch/network/peer.ts'
import { AppError } from '../../platform/errors.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import type { Store, Tables } from '../../store/schema.ts'
import type { EndCause, SessionBrowser } from './browser.ts'
import type { ActiveSession } from './session-lifecycle.ts'
import {
  callPeer,
  createSessionCalls,
  createSessionRouter,
  peerTokens,
  type SessionRouterDeps,
  toCallError,
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

/**
 * Creates the router of a process that owns one session. Every call to another process fails with
 * PeerDisconnectedError.
 */
function scene() {
  const ended: string[] = []
  const ownedSession = { end: async (cause: string) => void ended.push(cause) }
  const deps = {
    ...{ store, holder: { id: 'me' }, agent: undefined },
    registry: { find: (id: string) => (id === 'one' ? ownedSession : undefined) },
    peers: { post: () => Promise.reject(new PeerDisconnectedError()), close: async () => undefined },
  }
  // No other members are used.
  return { home: createSessionRouter(deps as unknown as SessionRouterDeps), ended }
}

const signal = new AbortController().signal
const at = (holder: string, id = 'one') => ({ id, holder, home: `http://${holder}` })

describe('createSessionRouter', () => {
  it('calls a session of this process directly', async () => {
    const { home: router, ended } = scene()
    expect(await router.call(at('me'), 'end', {}, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
  })

  it('returns SESSION_DESTROYED if this process should own the session but does not', async () => {
    const { home: router } = scene()
    const call = router.call(at('me', 'two'), 'end', {}, signal)
    await expect(call).rejects.toMatchObject({ code: 'SESSION_DESTROYED' })
  })

  it('returns JOB_INTERRUPTED if the peer is lost, and SCRAPE_JOB_CANCELLED if the caller has aborted', async () => {
    const { home: router } = scene()
    const call = router.call(at('other'), 'end', {}, signal)
    await expect(call).rejects.toMatchObject({ code: 'JOB_INTERRUPTED' })
    const aborted = router.call(at('other'), 'end', {}, AbortSignal.abort())
    await expect(aborted).rejects.toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })

  it('serves only known calls with a token for this process', async () => {
    const { home: router, ended } = scene()
    const { tokenFor } = peerTokens({ store, holder: { id: 'other' } })
    const call = { id: 'one', name: 'end', input: {}, token: await tokenFor('me') }
    expect(await router.serve(call, signal)).toBeNull()
    expect(ended).toEqual(['deleted'])
    const error = { code: 'UNAUTHORIZED' }
    for (const wrong of [
      { token: await tokenFor('other') },
      { token: '' },
      { name: 'shell' },
      { name: 'toString' },
    ])
      await expect(router.serve({ ...call, ...wrong }, signal)).rejects.toMatchObject(error)
  })
})

/** Creates a session that records its calls. Its browser records the time limit of a run. */
function localScene() {
  const calls: { readyTimeoutMs?: number | undefined; timeoutMs?: number; end?: EndCause } = {}
  const browser = {
    code: {
      async run(order: { timeoutMs: number }) {
        calls.timeoutMs = order.timeoutMs
        return { stdout: 'done' }
      },
    },
  }
  const session = {
    id: 'one',
    use(signal, work, readyTimeoutMs) {
      calls.readyTimeoutMs = readyTimeoutMs
      // Only the timeout is used.
      return work(browser as unknown as SessionBrowser, signal)
    },
    async end(cause) {
      calls.end = cause
    },
    // No other members are used.
  } as ActiveSession
  return { session, asked: calls }
}

const code = { code: '1', language: 'node', timeoutMs: 30_000 } as const

describe('createSessionCalls', () => {
  it('gives code its full timeout if the caller has no budget', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: null }, session, signal)
    expect(asked).toEqual({ readyTimeoutMs: undefined, timeoutMs: 30_000 })
  })

  it('reserves time for a run in the budget of the caller', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: 5000 }, session, signal)
    expect(asked.readyTimeoutMs).toBe(4000)
    expect(asked.timeoutMs).toBeLessThanOrEqual(5000)
  })

  it('gives a run at least one second', async () => {
    const { session, asked } = localScene()
    await createSessionCalls(undefined).execute({ ...code, budgetMs: 10 }, session, signal)
    expect(asked.timeoutMs).toBe(1000)
  })

  it('runs a prompt for the team and the session', async () => {
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

  it('ends the session with the cause deleted', async () => {
    const { session, asked } = localScene()
    expect(await createSessionCalls(undefined).end({}, session, signal)).toBeNull()
    expect(asked.end).toBe('deleted')
  })
})

const session = { id: 'one', home: 'http://other:3002', holder: 'other' }

/** Calls a process that returns this response, and records the request. */
async function ask(response: PeerResponse) {
  const calls: unknown[] = []
  const peers = {
    async post(...call: unknown[]) {
      calls.push(...call.slice(0, 3))
      return response
    },
    close: async () => undefined,
  }
  const tokens = { tokenFor: async (holder: string) => `for ${holder}` }
  const end = { name: 'end' as const, input: {} }
  const output = callPeer({ peers, tokens }, session, end, new AbortController().signal)
  return { output: await output.catch((thrown) => thrown), asked: calls }
}

describe('callPeer', () => {
  it('sends the call with a token for the owner process', async () => {
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
  ])('reports %s', async (_, code, expected) => {
    const { output } = await ask({ status: 500, body: { success: false, code, error: 'words', phase: 'x' } })
    expect(output).toBeInstanceOf(AppError)
    expect(output.code).toBe(expected)
  })

  it('preserves the message and the detail of an error', async () => {
    const body = { success: false, code: 'SESSION_FAILED', error: 'It has crashed.', phase: 'running' }
    const { output } = await ask({ status: 502, body })
    expect(output).toMatchObject({ message: 'It has crashed.', detail: { phase: 'running' } })
  })

  it('distinguishes a call that was never sent from one whose response was lost', () => {
    expect(toCallError(new PeerUnreachableError())).toMatchObject({
      code: 'SESSION_FAILED',
      detail: { phase: 'reaching the session' },
    })
    expect(toCallError(new PeerDisconnectedError())).toMatchObject({ code: 'JOB_INTERRUPTED' })
    const other = new Error('something else')
    expect(toCallError(other)).toBe(other)
  })
})

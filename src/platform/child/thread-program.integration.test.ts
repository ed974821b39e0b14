import { afterEach, describe, expect, it } from 'vitest'
import type { ThreadRequest } from '../../../test/child-thread.ts'
import { silentLog } from '../log.ts'
import { type ChildPool, type ChildPoolOptions, createChildPool } from './child-pool.ts'
import { threadProgram } from './thread-program.ts'

interface ThreadReply {
  threadId: number
  value: string
  bytes: Uint8Array
}
type Pool = ChildPool<ThreadRequest, ThreadReply>

const pools: Pool[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())))

function start(changes: Partial<ChildPoolOptions> = {}): Pool {
  const program = threadProgram({
    ...{ name: 'test', script: new URL('../../../test/child-thread.ts', import.meta.url) },
    ...{ megabytes: 32, environment: {} },
    pack: (request) => ({
      request,
      // The pool sends requests of this type only.
      moved:
        'bytes' in (request as ThreadRequest)
          ? [(request as { bytes: Uint8Array<ArrayBuffer> }).bytes.buffer]
          : [],
    }),
  })
  const options = { maxChildren: 1, spare: 0, idleMs: 60_000, ...changes }
  const pool = createChildPool<ThreadRequest, ThreadReply>(program, options, silentLog)
  pools.push(pool)
  return pool
}

const { signal } = new AbortController()
const call = { who: { team: 'a' }, signal }
const echo = (pool: Pool) => pool.ask({ kind: 'echo', value: 'x' }, call)

describe('createChildPool with threads', () => {
  it('returns the reply of each request and uses the same thread again', async () => {
    const pool = start()
    const first = await echo(pool)
    expect(first.value).toBe('x')
    expect((await echo(pool)).threadId).toBe(first.threadId)
  })

  it.each<[string, ThreadRequest, object]>([
    ['an error for the caller', { kind: 'refuse' }, { code: 'SCRAPE_TIMEOUT', detail: { phase: 'render' } }],
    ['another error', { kind: 'throw', message: 'on purpose' }, { name: 'TypeError', message: 'on purpose' }],
  ])('rejects with %s of the script and keeps the thread', async (_, request, error) => {
    const pool = start()
    const { threadId } = await echo(pool)
    await expect(pool.ask(request, call)).rejects.toMatchObject(error)
    expect((await echo(pool)).threadId).toBe(threadId)
  })

  it('keeps a thread whose work after the reply fails', async () => {
    const pool = start()
    const { threadId } = await pool.ask({ kind: 'throw-later' }, call)
    expect((await echo(pool)).threadId).toBe(threadId)
  })

  it('moves buffers in both directions', async () => {
    const bytes = new Uint8Array([1, 2, 3])
    const reply = await start().ask({ kind: 'bytes', bytes }, call)
    expect([...reply.bytes]).toEqual([1, 2, 3])
    expect(bytes.length).toBe(0)
  })

  it.each<[string, ThreadRequest, object]>([
    ['exits', { kind: 'exit' }, { reason: 'ended' }],
    ['needs too much memory', { kind: 'hoard' }, { reason: 'memory' }],
    ['does not return', { kind: 'block' }, { reason: 'time', message: /more than 1500 ms \(bound\)/ }],
  ])('replaces a thread that %s', async (_, request, failure) => {
    const pool = start()
    const { threadId } = await echo(pool)
    // A busy machine needs a long time to fill the memory of a thread.
    const ms = request.kind === 'block' ? 1500 : 60_000
    const pending = pool.ask(request, { ...call, limit: { ms, name: 'bound' } })
    await expect(pending).rejects.toMatchObject(
      'message' in failure
        ? { ...failure, message: expect.stringMatching(failure.message as RegExp) }
        : failure,
    )
    expect((await echo(pool)).threadId).not.toBe(threadId)
  })

  it('ends a thread whose caller has gone, but not before graceMs has passed', async () => {
    const pool = start({ graceMs: 300 })
    const { threadId } = await echo(pool)
    const abortDuring = async (request: ThreadRequest) => {
      const abortController = new AbortController()
      const onNote = () => abortController.abort(new Error('left'))
      const pending = pool.ask(request, { ...call, onNote, signal: abortController.signal })
      await expect(pending).rejects.toThrow('left')
      return (await echo(pool)).threadId
    }
    expect(await abortDuring({ kind: 'wait', ms: 1 })).toBe(threadId)
    expect(await abortDuring({ kind: 'block' })).not.toBe(threadId)
  })
})

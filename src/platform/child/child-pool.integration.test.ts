import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptRequest } from '../../../test/child-script.ts'
import { silentLog } from '../log.ts'
import { type ChildPool, type ChildPoolOptions, createChildPool } from './child-pool.ts'
import { type ProcessOptions, processProgram } from './process-program.ts'

interface ScriptReply {
  pid: number
  requests: number
  value: string
}
type Pool = ChildPool<ScriptRequest, ScriptReply>
type Options = ChildPoolOptions & ProcessOptions & { requestMs: number }

const pools: Pool[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())))

function start(changes: Partial<Options> = {}): Pool {
  const options: Options = {
    ...{ name: `test-${process.pid}`, script: new URL('../../../test/child-script.ts', import.meta.url) },
    ...{ megabytes: 256, environment: { GIVEN: 'yes' }, places: 1, spare: 0, requestMs: 60_000 },
    ...{ idleMs: 60_000, maxRequests: 1000, maxRequestBytes: 100_000, maxReplyBytes: 100_000 },
    ...changes,
  }
  const { ask, stop } = createChildPool<ScriptRequest, ScriptReply>(
    processProgram(options),
    options,
    silentLog,
  )
  const limit = { ms: options.requestMs, name: 'requestMs' }
  const pool: Pool = { ask: (request, call) => ask(request, { limit, ...call }), stop }
  pools.push(pool)
  return pool
}

const { signal } = new AbortController()
const call = (team = 'a') => ({ who: { team }, signal })
const echo = (pool: Pool, value = 'x', team = 'a') => pool.ask({ kind: 'echo', value }, call(team))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const gone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)

describe('a pool of child processes', () => {
  it('returns the reply of each request and uses the same process again', async () => {
    const pool = start()
    const replies = await Promise.all(['one', 'two', 'three'].map((value) => echo(pool, value)))
    expect(replies.map(({ value }) => value)).toEqual(['one', 'two', 'three'])
    expect(new Set(replies.map(({ pid }) => pid)).size).toBe(1)
  })

  it('gives a process no environment but the one in its options', async () => {
    const { value } = await start().ask({ kind: 'environment' }, call())
    expect(value.split(' ')).toEqual(expect.arrayContaining(['GIVEN', 'TMPDIR']))
    expect(value).not.toMatch(/PATH|HOME|API_KEY/)
  })

  it('rejects with the message of an error in the script and keeps the process', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    await expect(pool.ask({ kind: 'throw', message: 'on purpose' }, call())).rejects.toThrow('on purpose')
    expect((await echo(pool)).pid).toBe(pid)
  })

  it('carries messages about a request in both directions', async () => {
    const asked = start().ask({ kind: 'ask-back' }, { ...call(), onNote: (note, send) => send(`${note}!`) })
    expect((await asked).value).toBe('question!')
  })

  it.each<[string, ScriptRequest, Partial<Options>, string]>([
    ['exits', { kind: 'exit' }, {}, 'ended'],
    ['does not return', { kind: 'block' }, { requestMs: 1500 }, 'time'],
    ['needs too much memory', { kind: 'hoard' }, { megabytes: 64 }, 'ended'],
    ['replies too much', { kind: 'large', bytes: 200_000 }, {}, 'size'],
  ])('replaces a process that %s', async (_, request, changes, reason) => {
    const pool = start(changes)
    const { pid } = await echo(pool)
    await expect(pool.ask(request, call())).rejects.toMatchObject({ reason, isFirst: false })
    expect((await echo(pool)).pid).not.toBe(pid)
    await gone(pid)
  })

  it('rejects a request that is too large and keeps the process', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    await expect(echo(pool, 'x'.repeat(200_000))).rejects.toMatchObject({ reason: 'size' })
    expect((await echo(pool)).pid).toBe(pid)
  })

  it('replaces a process after its last request', async () => {
    const pool = start({ maxRequests: 2 })
    const pids = [await echo(pool), await echo(pool), await echo(pool)].map(({ pid }) => pid)
    expect(pids[0]).toBe(pids[1])
    expect(pids[2]).not.toBe(pids[1])
  })

  it('removes the temporary folder of a process that was killed', async () => {
    const pool = start()
    const folders = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`winnow-test-${process.pid}-`))
    const { pid } = await echo(pool)
    expect(folders()).toHaveLength(1)
    process.kill(pid, 'SIGKILL')
    await expect.poll(folders, { timeout: 10_000 }).toEqual([])
  })
})

describe('a child process that does not keep to the protocol', () => {
  const script = new URL('../../../test/lying-child.ts', import.meta.url)
  // It gets its reply as its request, whatever the types say.
  const ask = (lie: object) => start({ script, requestMs: 20_000 }).ask(lie as ScriptRequest, call())

  it.each<[string, object, object]>([
    ['a problem that is none', { problem: null }, { reason: 'size' }],
    ['an error that does not exist', { problem: { refused: { code: '__proto__' } } }, { name: 'Error' }],
    ['an error without a code', { problem: { refused: undefined } }, { reason: 'size' }],
    ['an error that is a text', { problem: { error: 'on purpose' } }, { message: 'on purpose' }],
  ])('fails its request if it sends %s', async (_, lie, failure) => {
    await expect(ask(lie)).rejects.toMatchObject(failure)
  })

  it('is not heard if it sends the reply of another request', async () => {
    const failure = { reason: 'time' }
    const pool = start({ script, requestMs: 1500 })
    await expect(pool.ask({ id: 7, reply: 'x' } as never, call())).rejects.toMatchObject(failure)
  })
})

describe('races of a pool of child processes', () => {
  it('a caller that leaves while the process starts leaves it to the next', async () => {
    const pool = start()
    for (let turn = 0; turn < 20; turn += 1) {
      const leaving = new AbortController()
      const asked = pool.ask({ kind: 'echo', value: 'x' }, { who: { team: 'a' }, signal: leaving.signal })
      leaving.abort(new Error('left'))
      await expect(asked).rejects.toThrow('left')
    }
    // Every earlier request is still answered by the one process, in turn.
    expect((await echo(pool)).requests).toBeLessThanOrEqual(21)
  })

  it('an aborted request keeps its place until the process has replied', async () => {
    const pool = start()
    const leaving = new AbortController()
    let isWaiting = () => {}
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve))
    const first = pool.ask(
      { kind: 'wait', ms: 300 },
      { ...call(), signal: leaving.signal, onNote: isWaiting },
    )
    await waiting
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect((await echo(pool)).requests).toBe(2)
  })

  it('an aborted request ends its process if the pool says so', async () => {
    const pool = start({ graceMs: 0 })
    const { pid } = await echo(pool)
    const leaving = new AbortController()
    const first = pool.ask({ kind: 'block' }, { who: { team: 'a' }, signal: leaving.signal })
    const next = echo(pool)
    await sleep(50)
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect((await next).pid).not.toBe(pid)
    await gone(pid)
  })

  it('an idle process ends, and one with a request does not', async () => {
    const pool = start({ idleMs: 100 })
    const { pid } = await echo(pool)
    for (let turn = 0; turn < 3; turn += 1)
      expect(await pool.ask({ kind: 'wait', ms: 250 }, call())).toMatchObject({ pid, value: 'waited' })
    await gone(pid)
    expect((await echo(pool)).pid).not.toBe(pid)
  })

  it('requests at the moment of the idle end are all answered', async () => {
    const pool = start({ idleMs: 1 })
    const pids = new Set<number>()
    for (let turn = 0; turn < 15; turn += 1) {
      pids.add((await echo(pool)).pid)
      await sleep(turn % 4)
    }
    for (const pid of pids) await gone(pid)
  })

  it('a killed process fails its own request only', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    const first = pool.ask(
      { kind: 'wait', ms: 60_000 },
      { ...call(), onNote: () => process.kill(pid, 'SIGKILL') },
    )
    const others = Array.from({ length: 5 }, (_, at) => echo(pool, String(at), `team-${at}`))
    await expect(first).rejects.toMatchObject({ reason: 'ended' })
    expect((await Promise.all(others)).map(({ value }) => value)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('a stop fails the running request and all that wait, and later ones', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    const asked = Promise.allSettled([pool.ask({ kind: 'block' }, call()), echo(pool), echo(pool, 'x', 'b')])
    await sleep(20)
    await pool.stop()
    const ends = await asked
    expect(ends.map((end) => end.status === 'rejected' && end.reason.reason)).toEqual(
      Array(3).fill('stopped'),
    )
    await expect(echo(pool)).rejects.toMatchObject({ reason: 'stopped' })
    await gone(pid)
  })

  it('serves a team that comes between many requests of another', async () => {
    const pool = start()
    const served: string[] = []
    const ask = async (team: string) => {
      await echo(pool, 'x', team)
      served.push(team)
    }
    await Promise.all([...Array.from({ length: 30 }, () => ask('many')), ask('one')])
    expect(served.indexOf('one')).toBeLessThan(4)
  })
})

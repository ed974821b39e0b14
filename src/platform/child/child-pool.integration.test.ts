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
    ...{ megabytes: 256, environment: { GIVEN: 'yes' }, maxChildren: 1, spare: 0, requestMs: 60_000 },
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
const waitForEnd = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)

describe('createChildPool with processes', () => {
  it('returns the reply of each request and uses the same process again', async () => {
    const pool = start()
    const replies = await Promise.all(['one', 'two', 'three'].map((value) => echo(pool, value)))
    expect(replies.map(({ value }) => value)).toEqual(['one', 'two', 'three'])
    expect(new Set(replies.map(({ pid }) => pid)).size).toBe(1)
  })

  it('gives a process only the environment in its options and TMPDIR', async () => {
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

  it('sends messages about a request in both directions', async () => {
    const reply = start().ask({ kind: 'ask-back' }, { ...call(), onNote: (note, send) => send(`${note}!`) })
    expect((await reply).value).toBe('question!')
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
    await waitForEnd(pid)
  })

  it('rejects a request that is too large and keeps the process', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    await expect(echo(pool, 'x'.repeat(200_000))).rejects.toMatchObject({ reason: 'size' })
    expect((await echo(pool)).pid).toBe(pid)
  })

  it('replaces a process after maxRequests requests', async () => {
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

describe('a child process that violates the protocol', () => {
  const script = new URL('../../../test/lying-child.ts', import.meta.url)
  // The script sends the request back as its message, which the types do not express.
  const ask = (message: object) => start({ script, requestMs: 20_000 }).ask(message as ScriptRequest, call())

  it.each<[string, object, object]>([
    ['a problem that is none', { problem: null }, { reason: 'size' }],
    ['an error that does not exist', { problem: { refused: { code: '__proto__' } } }, { name: 'Error' }],
    ['an error without a code', { problem: { refused: undefined } }, { reason: 'size' }],
    ['an error that is a text', { problem: { error: 'on purpose' } }, { message: 'on purpose' }],
  ])('fails its request if it sends %s', async (_, message, failure) => {
    await expect(ask(message)).rejects.toMatchObject(failure)
  })

  it('is ignored if it sends the reply of another request', async () => {
    const failure = { reason: 'time' }
    const pool = start({ script, requestMs: 1500 })
    await expect(pool.ask({ id: 7, reply: 'x' } as never, call())).rejects.toMatchObject(failure)
  })
})

describe('createChildPool under races', () => {
  it('a caller that aborts while the process starts leaves the process to the next caller', async () => {
    const pool = start()
    for (let round = 0; round < 20; round += 1) {
      const abortController = new AbortController()
      const reply = pool.ask(
        { kind: 'echo', value: 'x' },
        { who: { team: 'a' }, signal: abortController.signal },
      )
      abortController.abort(new Error('left'))
      await expect(reply).rejects.toThrow('left')
    }
    // The one process still handles every earlier request, in order.
    expect((await echo(pool)).requests).toBeLessThanOrEqual(21)
  })

  it('an aborted request keeps its permit until the process has replied', async () => {
    const pool = start()
    const abortController = new AbortController()
    let isWaiting = () => {}
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve))
    const first = pool.ask(
      { kind: 'wait', ms: 300 },
      { ...call(), signal: abortController.signal, onNote: isWaiting },
    )
    await waiting
    abortController.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect((await echo(pool)).requests).toBe(2)
  })

  it('an aborted request ends its process if graceMs is 0', async () => {
    const pool = start({ graceMs: 0 })
    const { pid } = await echo(pool)
    const abortController = new AbortController()
    const first = pool.ask({ kind: 'block' }, { who: { team: 'a' }, signal: abortController.signal })
    const next = echo(pool)
    await sleep(50)
    abortController.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect((await next).pid).not.toBe(pid)
    await waitForEnd(pid)
  })

  it('an idle process ends, and one with a request does not', async () => {
    const pool = start({ idleMs: 100 })
    const { pid } = await echo(pool)
    for (let round = 0; round < 3; round += 1)
      expect(await pool.ask({ kind: 'wait', ms: 250 }, call())).toMatchObject({ pid, value: 'waited' })
    await waitForEnd(pid)
    expect((await echo(pool)).pid).not.toBe(pid)
  })

  it('all requests at the moment of the idle end get a reply', async () => {
    const pool = start({ idleMs: 1 })
    const pids = new Set<number>()
    for (let round = 0; round < 15; round += 1) {
      pids.add((await echo(pool)).pid)
      await sleep(round % 4)
    }
    for (const pid of pids) await waitForEnd(pid)
  })

  it('a killed process fails its own request only', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    const first = pool.ask(
      { kind: 'wait', ms: 60_000 },
      { ...call(), onNote: () => process.kill(pid, 'SIGKILL') },
    )
    const others = Array.from({ length: 5 }, (_, index) => echo(pool, String(index), `team-${index}`))
    await expect(first).rejects.toMatchObject({ reason: 'ended' })
    expect((await Promise.all(others)).map(({ value }) => value)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('a stop fails the running request, all waiting requests and later ones', async () => {
    const pool = start()
    const { pid } = await echo(pool)
    const settled = Promise.allSettled([
      pool.ask({ kind: 'block' }, call()),
      echo(pool),
      echo(pool, 'x', 'b'),
    ])
    await sleep(20)
    await pool.stop()
    const results = await settled
    expect(results.map((result) => result.status === 'rejected' && result.reason.reason)).toEqual(
      Array(3).fill('stopped'),
    )
    await expect(echo(pool)).rejects.toMatchObject({ reason: 'stopped' })
    await waitForEnd(pid)
  })

  it('a team with one request is served among the first, between many requests of another team', async () => {
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

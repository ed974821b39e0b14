import { describe, expect, it } from 'vitest'
import { coalesce, listener, mapMaybePromise } from './functions.ts'

/** Creates coalesced work; the test ends each run. */
function setup() {
  const stopping = new AbortController()
  const runs: PromiseWithResolvers<void>[] = []
  const call = coalesce(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }, stopping.signal)
  return { runs, call, stopping }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('coalesce', () => {
  it('runs once more for all calls during a run', async () => {
    const { runs, call } = setup()
    const first = call()
    await Promise.all([call(), call()])
    expect(runs).toHaveLength(1)
    runs[0]?.resolve()
    await nextTurn()
    expect(runs).toHaveLength(2)
    runs[1]?.resolve()
    await first
    expect(runs).toHaveLength(2)
  })

  it('rejects the call that started a failed run, and runs again on the next call', async () => {
    const { runs, call } = setup()
    const first = call()
    runs[0]?.reject(new Error('failed'))
    await expect(first).rejects.toThrow('failed')
    void call()
    expect(runs).toHaveLength(2)
  })

  it('does not run after the abort, even for an earlier call', async () => {
    const { runs, call, stopping } = setup()
    const first = call()
    await call()
    stopping.abort()
    runs[0]?.resolve()
    await first
    await call()
    expect(runs).toHaveLength(1)
  })
})

describe('listener', () => {
  it('passes a thrown error and the arguments to the error handler', () => {
    const failures: unknown[] = []
    const parseText = listener(
      (text: string) => JSON.parse(text),
      (cause, text) => failures.push([(cause as Error).name, text]),
    )
    parseText('{}')
    parseText('{')
    expect(failures).toEqual([['SyntaxError', '{']])
  })

  it('passes the reason of a rejected promise to the error handler', async () => {
    const failed = Promise.withResolvers<unknown>()
    listener(async () => {
      throw new Error('later')
    }, failed.resolve)()
    expect(await failed.promise).toMatchObject({ message: 'later' })
  })
})

describe('proceed', () => {
  it('continues synchronously with a value that is not a promise', () => {
    expect(mapMaybePromise(2, (value) => value + 1)).toBe(3)
  })

  it('continues when the promise resolves', async () => {
    const next = mapMaybePromise(Promise.resolve(2), (value) => value + 1)
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(3)
  })

  it('fails with the error of the promise or the continuation', async () => {
    const fail = () => {
      throw new Error('on purpose')
    }
    expect(() => mapMaybePromise(2, fail)).toThrow('on purpose')
    await expect(mapMaybePromise(Promise.resolve(2), fail)).rejects.toThrow('on purpose')
    await expect(mapMaybePromise(Promise.reject(new Error('before')), fail)).rejects.toThrow('before')
  })
})

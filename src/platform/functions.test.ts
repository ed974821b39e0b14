import { describe, expect, it } from 'vitest'
import { coalesce, listener, proceed } from './functions.ts'

/** Work whose runs the test ends one by one. */
function scene() {
  const stopping = new AbortController()
  const runs: PromiseWithResolvers<void>[] = []
  const call = coalesce(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }, stopping.signal)
  return { runs, call, stopping }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('coalesced work', () => {
  it('runs once more for all calls that came during a run', async () => {
    const { runs, call } = scene()
    const first = call()
    await Promise.all([call(), call()])
    expect(runs).toHaveLength(1)
    runs[0]?.resolve()
    await turn()
    expect(runs).toHaveLength(2)
    runs[1]?.resolve()
    await first
    expect(runs).toHaveLength(2)
  })

  it('throws what a run throws, to the caller that began it, and runs again when it is called', async () => {
    const { runs, call } = scene()
    const first = call()
    runs[0]?.reject(new Error('failed'))
    await expect(first).rejects.toThrow('failed')
    void call()
    expect(runs).toHaveLength(2)
  })

  it('does not run after the abort, though it was called before', async () => {
    const { runs, call, stopping } = scene()
    const first = call()
    await call()
    stopping.abort()
    runs[0]?.resolve()
    await first
    await call()
    expect(runs).toHaveLength(1)
  })
})

describe('a listener', () => {
  it('hands what its work throws to the handler of failures', () => {
    const failures: unknown[] = []
    const hear = listener(
      (text: string) => JSON.parse(text),
      (cause, text) => failures.push([(cause as Error).name, text]),
    )
    hear('{}')
    hear('{')
    expect(failures).toEqual([['SyntaxError', '{']])
  })

  it('does so for what its promise is rejected with', async () => {
    const failed = Promise.withResolvers<unknown>()
    listener(async () => {
      throw new Error('later')
    }, failed.resolve)()
    expect(await failed.promise).toMatchObject({ message: 'later' })
  })
})

describe('a value that may come later', () => {
  it('is continued at once where it is there', () => {
    expect(proceed(2, (value) => value + 1)).toBe(3)
  })

  it('is continued when it comes', async () => {
    const next = proceed(Promise.resolve(2), (value) => value + 1)
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(3)
  })

  it('fails as its continuation does', async () => {
    const fail = () => {
      throw new Error('on purpose')
    }
    expect(() => proceed(2, fail)).toThrow('on purpose')
    await expect(proceed(Promise.resolve(2), fail)).rejects.toThrow('on purpose')
    await expect(proceed(Promise.reject(new Error('before')), fail)).rejects.toThrow('before')
  })
})

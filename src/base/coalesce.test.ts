import { describe, expect, it } from 'vitest'
import { coalesce } from './coalesce.ts'

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

import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreUnavailable } from '../platform/errors.ts'

const firstPauseMs = 100
const maxPauseMs = 2000

/** Other errors are thrown immediately, because a retry would fail again. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  maxDurationMs: number,
): Promise<Result> {
  const deadline = performance.now() + maxDurationMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    try {
      return await work()
    } catch (thrown) {
      if (!isStoreUnavailable(thrown) || performance.now() + pauseMs > deadline) throw thrown
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}

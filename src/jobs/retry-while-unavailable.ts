import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreUnavailable } from '../platform/errors.ts'

const firstPause = 100
const longestPause = 2000

/**
 * Tries again, with pauses that grow, for as long as the store or the blobs are not there. What else goes wrong is thrown at
 * once: it would go wrong again.
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  patience: number,
): Promise<Result> {
  const ends = performance.now() + patience
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    try {
      return await work()
    } catch (thrown) {
      if (!isStoreUnavailable(thrown) || performance.now() + pause > ends) throw thrown
      await sleep(pause * (0.5 + Math.random()))
    }
  }
}

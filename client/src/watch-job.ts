import { CallTimeoutError, WinnowError } from './errors.ts'
import { mayRepeat } from './retry-policy.ts'
import { sleep } from './waiting.ts'

/** How long a service may be away, as when it is restarted, before the watcher of a job gives up. */
const patienceMs = 60_000
const pauseAfterFailureMs = 1_000

/**
 * A read of a job that goes on for days. Calls give up after some seconds, because somebody waits for them; here one lost
 * connection would lose hours.
 */
export async function readPatiently<Value>(
  read: () => Promise<Value>,
  signal: AbortSignal | undefined,
  patience = patienceMs,
): Promise<Value> {
  const started = Date.now()
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isOver = Date.now() - started > patience
      // An answer that takes too long is nobody's wish here, as it may be for a single call.
      const isPassing = thrown instanceof CallTimeoutError || mayRepeat(thrown, 'always')
      if (isOver || !isPassing) throw thrown
      const asked = thrown instanceof WinnowError ? (thrown.retryAfter ?? 0) * 1000 : 0
      await sleep(Math.max(pauseAfterFailureMs, asked), signal)
    }
  }
}

const shortestPauseMs = 300
const pauseWithNewsMs = 1_000
const longestPauseMs = 5_000

/** Pauses between two looks: short at first, longer while nothing happens. */
export function pacing() {
  let pause = shortestPauseMs
  return {
    async wait(hasNews: boolean, signal: AbortSignal | undefined): Promise<void> {
      await sleep(pause, signal)
      pause = hasNews ? pauseWithNewsMs : Math.min(longestPauseMs, pause * 1.5)
    },
  }
}

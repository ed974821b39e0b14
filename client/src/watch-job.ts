import { CallTimeoutError, WinnowError } from './errors.ts'
import { isRetryable } from './retry-policy.ts'
import { sleep } from './sleep.ts'

/** Maximum time for retries during an outage of the service, such as a restart. */
const maxOutageMs = 60_000
const delayAfterFailureMs = 1_000

/**
 * Reads the status of a job, and retries during outages. A job may run for days, so one lost connection must not end
 * the wait. Single calls give up after seconds, because their callers wait for them.
 */
export async function readWithReconnect<Value>(
  read: () => Promise<Value>,
  signal: AbortSignal | undefined,
  outageMs = maxOutageMs,
): Promise<Value> {
  const startedAt = Date.now()
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const hasTimedOut = Date.now() - startedAt > outageMs
      // A single call fails after a timeout, but the status of a job can be read again.
      const isTransient = thrown instanceof CallTimeoutError || isRetryable(thrown, 'always')
      if (hasTimedOut || !isTransient) throw thrown
      const retryAfterMs = thrown instanceof WinnowError ? (thrown.retryAfter ?? 0) * 1000 : 0
      await sleep(Math.max(delayAfterFailureMs, retryAfterMs), signal)
    }
  }
}

const minDelayMs = 300
const delayAfterChangeMs = 1_000
const maxDelayMs = 5_000

/** Creates the delay between two polls: short at first, longer while nothing changes. */
export function createPollDelay() {
  let delayMs = minDelayMs
  return {
    async wait(hasChanged: boolean, signal: AbortSignal | undefined): Promise<void> {
      await sleep(delayMs, signal)
      delayMs = hasChanged ? delayAfterChangeMs : Math.min(maxDelayMs, delayMs * 1.5)
    },
  }
}

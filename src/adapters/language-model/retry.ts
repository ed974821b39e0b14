import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal, ServerError } from './server-error.ts'

const attempts = 3
/** If the server asks for a longer wait, the caller gets an error instead of waiting. */
const longestWait = 60_000

/** Retries after 429, 5xx and lost connections: after the time in Retry-After, or after 1 and 2 seconds. */
export async function withRetries<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (thrown) {
      const isPassing = thrown instanceof ServerError && thrown.isPassing && !isRefusal(thrown)
      if (!isPassing || attempt === attempts) throw thrown
      const wait = thrown.retryAfterMs ?? 1000 * 2 ** (attempt - 1)
      if (wait > longestWait) throw thrown
      await pause(wait, undefined, { signal })
    }
  }
}

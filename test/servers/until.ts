import { setTimeout as delay } from 'node:timers/promises'

/** Tries again until the attempt gives a value, and fails with the last reason when the limit has passed. */
export async function until<Value>(
  goal: string,
  limit: number,
  attempt: () => Promise<Value | undefined>,
): Promise<Value> {
  const began = Date.now()
  for (;;) {
    const value = await attempt()
    if (value !== undefined) return value
    const waited = Date.now() - began
    if (waited > limit) throw new Error(`${goal} did not happen within ${limit} ms`)
    // Most attempts are calls to the service, which take processor time from the work that is waited for.
    await delay(Math.min(120, 20 + waited / 20))
  }
}

import { setTimeout as delay } from 'node:timers/promises'

/** Repeats the attempt until it returns a value. Throws after the time limit. */
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
    // Most attempts are calls to the service, which use processor time that the awaited work needs.
    await delay(Math.min(120, 20 + waited / 20))
  }
}

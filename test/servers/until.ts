import { setTimeout as delay } from 'node:timers/promises'

/** Tries again until the attempt gives a value, and fails with the last reason when the limit has passed. */
export async function until<Value>(
  goal: string,
  limit: number,
  attempt: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + limit
  for (;;) {
    const value = await attempt()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`${goal} did not happen within ${limit} ms`)
    await delay(20)
  }
}

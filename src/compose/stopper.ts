import type { Log } from '../base/log.ts'

/** A part that cannot stop, because what it stands on is gone, keeps neither the others nor the process from stopping. */
export function stopper(log: Log) {
  return async (part: string, withinMs: number, stop: () => Promise<unknown> | undefined): Promise<void> => {
    const late = Symbol('late')
    const { promise, resolve } = Promise.withResolvers<typeof late>()
    // What it does with the time it is given is its own; this is for a part that does not keep to it.
    const timer = setTimeout(resolve, withinMs + 3000, late)
    try {
      const ended = await Promise.race([Promise.resolve(stop()), promise])
      if (ended === late) log.warn({ part }, 'a part did not stop in time')
    } catch (cause) {
      log.warn({ part, cause }, 'a part did not stop in order')
    } finally {
      clearTimeout(timer)
    }
  }
}

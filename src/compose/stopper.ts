import type { Log } from '../base/log.ts'

/** A part that cannot stop, because something it depends on is gone, must not prevent the others or the process from stopping. */
export function stopper(log: Log) {
  return async (part: string, withinMs: number, stop: () => Promise<unknown> | undefined): Promise<void> => {
    const late = Symbol('late')
    const { promise, resolve } = Promise.withResolvers<typeof late>()
    // A part should respect its time limit itself; this handles one that does not.
    const timer = setTimeout(resolve, withinMs + 3000, late)
    try {
      const ended = await Promise.race([Promise.resolve(stop()), promise])
      if (ended === late) log.warn({ part }, 'a part did not stop in time')
    } catch (cause) {
      log.warn({ part, cause }, 'a part did not stop cleanly')
    } finally {
      clearTimeout(timer)
    }
  }
}

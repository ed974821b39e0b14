import type { MaybePromise } from '../../platform/functions.ts'
import { type PermitOwner, Permits } from '../../platform/permits.ts'

/** The right of one call to hold a large page in memory. */
export interface MemoryPermit {
  /** Resolves when there is room for a page of this size; at once for a small one, or where there is room already. */
  need(bytes: number, signal: AbortSignal): MaybePromise<void>
}

/** Runs one call. What it takes for a large page is released when the call has ended. */
export type MemoryPermits = <Result>(
  who: PermitOwner,
  work: (room: MemoryPermit) => Promise<Result>,
) => Promise<Result>

/** Pages up to here are held without asking: there are never more of them than calls that run. */
const smallPage = 1024 * 1024

/**
 * Room in memory for a number of large pages at once, shared fairly by teams. A caller that finds none waits, with the connection to
 * the site held back, so that no more than these can be in memory, whatever the sites send.
 */
export function createMemoryPermits(largePages: number): MemoryPermits {
  const permits = new Permits({ count: largePages, spare: 1 })
  return async (who, work) => {
    const ended = Promise.withResolvers<void>()
    let taken: Promise<void> | undefined
    const take = (signal: AbortSignal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const hold = async () => {
        resolve()
        await ended.promise
      }
      permits.run(who, signal, hold).catch(reject)
      return promise
    }
    try {
      return await work({
        need(bytes, signal) {
          if (bytes <= smallPage) return
          taken ??= take(signal)
          return taken
        },
      })
    } finally {
      ended.resolve()
    }
  }
}

import type { MaybePromise } from '../../platform/functions.ts'
import { type PermitOwner, Permits } from '../../platform/permits.ts'

export interface MemoryPermit {
  /** Resolves when a page of this size may be held; immediately for a small page. */
  need(bytes: number, signal: AbortSignal): MaybePromise<void>
}

/** The permit of a call is released at its end. */
export type MemoryPermits = <Result>(
  owner: PermitOwner,
  work: (permit: MemoryPermit) => Promise<Result>,
) => Promise<Result>

/** The number of smaller pages is bounded by the number of running calls. */
const maxSmallPageBytes = 1024 * 1024

/** A caller without a permit waits and applies back-pressure to the connection, which bounds memory. */
export function createMemoryPermits(largePages: number): MemoryPermits {
  const permits = new Permits({ count: largePages, spare: 1 })
  return async (owner, work) => {
    const callEnd = Promise.withResolvers<void>()
    let pendingPermit: Promise<void> | undefined
    const acquire = (signal: AbortSignal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const hold = async () => {
        resolve()
        await callEnd.promise
      }
      permits.run(owner, signal, hold).catch(reject)
      return promise
    }
    try {
      return await work({
        need(bytes, signal) {
          if (bytes <= maxSmallPageBytes) return
          pendingPermit ??= acquire(signal)
          return pendingPermit
        },
      })
    } finally {
      callEnd.resolve()
    }
  }
}

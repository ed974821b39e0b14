import type { OcrPermitGrant, OcrPermitRequest } from '../recogniser-turns.ts'

interface ParentProcess {
  notify(request: OcrPermitRequest): void
  onNote(handle: (note: unknown) => void): void
}

/** A process converts one file at a time. Without a parent process, permits are granted immediately. */
let parent: ParentProcess | undefined
const pending = new Map<number, () => void>()
let requestCount = 0

export function connectParent(process: ParentProcess): void {
  parent = process
  // The parent process sends no other messages.
  process.onNote((note) => pending.get((note as OcrPermitGrant).grantedPermit)?.())
}

export async function withOcrPermit<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (!parent) return work()
  requestCount += 1
  const number = requestCount
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  pending.set(number, resolve)
  try {
    parent.notify({ requestedPermit: number })
    await promise
    return await work()
  } finally {
    // Also for an aborted request: the parent process then removes the request.
    pending.delete(number)
    parent.notify({ releasedPermit: number })
  }
}

import type { BoundName } from '../../../platform/bounds.ts'
import type { AppError } from '../../../platform/errors.ts'
import type { MaybePromise } from '../../../platform/functions.ts'
import type { WorkerRequest } from '../messages.ts'

/** A kind of work that a thread does. */
export interface RequestKind {
  /** Maximum time in seconds. The thread is terminated when it is over. */
  bound: BoundName
  /** The error of an order that took longer. */
  tooLong(order: WorkerRequest): AppError
  /** The code is loaded in the thread, when it is first needed. */
  load(): Promise<{ run(order: never): MaybePromise<Done> }>
}

export interface Done {
  done: unknown
  /** Work that the caller does not wait for. */
  afterwards?: (() => void) | undefined
}

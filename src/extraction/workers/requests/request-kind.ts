import type { BoundName } from '../../../platform/bounds.ts'
import type { AppError } from '../../../platform/errors.ts'
import type { MaybePromise } from '../../../platform/functions.ts'
import type { WorkerRequest } from '../messages.ts'

/** Kind of work in a worker thread. */
export interface RequestKind {
  /** Maximum duration in seconds, after which the thread is terminated. */
  bound: BoundName
  /** Creates the error of a request that took too long. */
  tooLong(request: WorkerRequest): AppError
  /** Loads the code on first use, in the thread. */
  load(): Promise<{ run(request: never): MaybePromise<RequestResult> }>
}

/** Result of a request in a worker thread. */
export interface RequestResult {
  reply: unknown
  /** Work that runs after the reply. */
  runAfterReply?: (() => void) | undefined
}

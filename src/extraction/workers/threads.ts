import { bounds } from '../../platform/bounds.ts'
import { ChildFailure } from '../../platform/child/child.ts'
import { createChildPool } from '../../platform/child/child-pool.ts'
import { threadProgram } from '../../platform/child/thread-program.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds } from './requests/all.ts'
import type { RequestKind } from './requests/request-kind.ts'

export interface ThreadLimits {
  /** Pages that are read at the same time; others wait their turn. */
  threads: number
  /** Threads beyond those, for teams that hold none. */
  spare: number
  /** How large the heap of one thread may grow. */
  megabytes: number
  /** A thread that had nothing to do for so long is ended. */
  idleMs: number
  /**
   * How long a thread may go on with a page that nobody waits for any more. Most pages are read sooner than a new thread would
   * have started.
   */
  graceMs: number
}

export interface Threads {
  /** What a thread answers; the type is that of what was ordered. */
  run(order: WorkerRequest, who: PermitOwner, signal: AbortSignal): Promise<unknown>
  stop(): Promise<void>
}

/** Threads that read pages, one page each at a time. One that dies takes its page with it and nobody else. */
export function createReaderThreads(limits: ThreadLimits, log: Log): Threads {
  const { threads: places, spare, idleMs, graceMs, megabytes } = limits
  const program = threadProgram({
    ...{ name: 'page-reader', script: new URL('./thread.ts', import.meta.url), megabytes },
    environment: { ...compileCacheEnvironment() },
    // The pool sends nothing else.
    pack: (request) => packed(request as WorkerRequest),
  })
  const pool = createChildPool<WorkerRequest, unknown>(program, { places, spare, idleMs, graceMs }, log)
  return {
    async run(order, who, signal) {
      const { bound } = requestKinds[order.kind]
      const limit = { ms: bounds[bound].most * 1000, name: bound }
      try {
        return await pool.ask(order, { who, signal, limit })
      } catch (thrown) {
        throw thrown instanceof ChildFailure ? errorOf(thrown, order) : thrown
      }
    },
    stop: pool.stop,
  }
}

/** What is shared is not copied. Else a copy of these bytes alone: they may be a view of a much larger buffer. */
function packed(order: WorkerRequest) {
  if (order.kind !== 'read') return { request: order, moved: [] }
  const ports = order.later ? [order.later] : []
  if (order.page.bytes.buffer instanceof SharedArrayBuffer) return { request: order, moved: ports }
  const bytes = new Uint8Array(order.page.bytes)
  return { request: { ...order, page: { ...order.page, bytes } }, moved: [bytes.buffer, ...ports] }
}

function errorOf(failure: ChildFailure, order: WorkerRequest): unknown {
  const { tooLong }: RequestKind = requestKinds[order.kind]
  if (failure.reason === 'time') return tooLong(order)
  if (failure.reason === 'stopped') return new AppError('SCRAPE_JOB_CANCELLED')
  if (failure.reason !== 'memory') return failure
  const message = 'Reading the page takes more memory than this service gives to one page.'
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render' }, { message, cause: failure })
}

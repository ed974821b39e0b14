import { bounds } from '../../platform/bounds.ts'
import { ChildError } from '../../platform/child/child.ts'
import { createChildPool } from '../../platform/child/child-pool.ts'
import { threadProgram } from '../../platform/child/thread-program.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds, tooLongError } from './requests/all.ts'

export interface ThreadLimits {
  threads: number
  /** Additional threads for teams that hold none. */
  spare: number
  megabytes: number
  idleMs: number
  /** Most pages whose caller has disconnected are finished before a new thread would have started. */
  graceMs: number
}

export type Threads = ReturnType<typeof createReaderThreads>

/** Each thread reads one page at a time. If a thread crashes, only its current page fails. */
export function createReaderThreads(limits: ThreadLimits, log: Log) {
  const { threads: maxChildren, spare, idleMs, graceMs, megabytes } = limits
  const program = threadProgram({
    ...{ name: 'page-reader', script: new URL('./thread.ts', import.meta.url), megabytes },
    environment: { ...compileCacheEnvironment() },
    // The pool sends no other requests.
    pack: (request) => toTransfer(request as WorkerRequest),
  })
  const poolOptions = { maxChildren, spare, idleMs, graceMs }
  const pool = createChildPool<WorkerRequest, unknown>(program, poolOptions, log)
  return {
    async run(request: WorkerRequest, who: PermitOwner, signal: AbortSignal) {
      const { bound } = requestKinds[request.kind]
      const limit = { ms: bounds[bound].most * 1000, name: bound }
      try {
        return await pool.ask(request, { who, signal, limit })
      } catch (error) {
        throw error instanceof ChildError ? toError(error, request) : error
      }
    },
    stop: pool.stop,
  }
}

/** Shared memory is not copied. Other bytes are copied first, because they may be a view of a much larger buffer. */
function toTransfer(request: WorkerRequest) {
  if (request.kind !== 'read') return { request, moved: [] }
  const ports = request.later ? [request.later] : []
  if (request.page.bytes.buffer instanceof SharedArrayBuffer) return { request, moved: ports }
  const bytes = new Uint8Array(request.page.bytes)
  return { request: { ...request, page: { ...request.page, bytes } }, moved: [bytes.buffer, ...ports] }
}

function toError(failure: ChildError, request: WorkerRequest): unknown {
  if (failure.reason === 'time') return tooLongError(request)
  if (failure.reason === 'stopped') return new AppError('SCRAPE_JOB_CANCELLED')
  if (failure.reason !== 'memory') return failure
  const message = 'Reading the page takes more memory than this service gives to one page.'
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render' }, { message, cause: failure })
}

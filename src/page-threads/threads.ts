import { bounds } from '../base/bounds.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type PermitOwner, Permits } from '../base/permits.ts'
import { unsaid } from '../base/safe-errors.ts'
import type { ThreadAnswer, ThreadOrder } from './messages.ts'
import { orderKinds } from './orders/all.ts'
import type { OrderKind } from './orders/order-kind.ts'
import { beginTurn, type ReaderThread, startThread, type Turn, takeTurn } from './reader-thread.ts'

export interface ThreadLimits {
  /** Pages that are read at the same time; others wait their turn. */
  threads: number
  /** Threads beyond those, for teams that hold none. */
  spare: number
  /** How large the heap of one thread may grow. */
  megabytes: number
  /** A thread that had nothing to do for so long is ended. */
  idleMs: number
  /** How long a thread may go on with a page that nobody waits for any more. */
  graceMs: number
}

export interface Threads {
  /** What a thread answers; the type is that of what was ordered. */
  run(order: ThreadOrder, who: PermitOwner, signal: AbortSignal): Promise<unknown>
  stop(): Promise<void>
}

/** Threads that read pages, one page each at a time. One that dies takes its page with it and nobody else. */
export function readerThreads(limits: ThreadLimits, log: Log): Threads {
  const pool: Pool = { limits, log, threads: new Set(), idle: [] }
  const permits = new Permits({ count: limits.threads, spare: limits.spare })
  const stopping = new AbortController()
  return {
    run(order, who, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const ended = AbortSignal.any([signal, stopping.signal])
      // A thread keeps its permit until it is free, which may be after its caller has gone.
      permits.run(who, ended, () => occupy(pool, order, { resolve, reject, signal })).catch(reject)
      return promise
    },
    async stop() {
      stopping.abort(new AppError('SCRAPE_JOB_CANCELLED'))
      await Promise.all([...pool.threads].map((thread) => end(pool, thread)))
    },
  }
}

interface Pool {
  limits: ThreadLimits
  log: Log
  threads: Set<ReaderThread>
  /** The one that was used last is used first, so that the others may end. */
  idle: ReaderThread[]
}

/** Gives an order to a thread. Resolves when the thread is free again, or gone. */
function occupy(
  pool: Pool,
  order: ThreadOrder,
  caller: Pick<Turn, 'resolve' | 'reject' | 'signal'>,
): Promise<void> {
  const { promise, resolve: onFreed } = Promise.withResolvers<void>()
  const turn: Turn = { ...caller, onFreed, abandon: () => abandon(pool, turn) }
  const thread = pool.idle.pop() ?? start(pool)
  try {
    beginTurn(thread, turn, order)
    limitTime(pool, thread, order)
  } catch (thrown) {
    caller.reject(thrown)
    void end(pool, thread)
  }
  return promise
}

function start(pool: Pool): ReaderThread {
  const thread = startThread(pool.limits, {
    answered: (from, answer) => finish(pool, from, answer),
    died: (one, cause) => lose(pool, one, cause),
  })
  pool.threads.add(thread)
  return thread
}

/** Terminates the thread of an order that takes longer than its kind may, whatever the thread is doing. */
function limitTime(pool: Pool, thread: ReaderThread, order: ThreadOrder): void {
  const { bound, tooLong }: OrderKind = orderKinds[order.kind]
  thread.clock = setTimeout(() => {
    pool.log.warn({ kind: order.kind, bound }, 'a thread was ended because its work took too long')
    void end(pool, thread, tooLong(order))
  }, bounds[bound].most * 1000)
}

function finish(pool: Pool, thread: ReaderThread, answer: ThreadAnswer): void {
  const turn = takeTurn(thread)
  thread.clock = setTimeout(() => end(pool, thread), pool.limits.idleMs).unref()
  pool.idle.push(thread)
  if ('done' in answer) turn?.resolve(answer.done)
  else turn?.reject('refused' in answer ? AppError.fromStored(answer.refused) : answer.problem)
}

function lose(pool: Pool, thread: ReaderThread, cause: unknown): void {
  if (!pool.threads.has(thread)) return
  remove(pool, thread)
  const turn = takeTurn(thread)
  if (turn) pool.log.warn({ cause: unsaid(cause) }, 'a thread that read a page has died')
  turn?.reject(isOutOfMemory(cause) ? tooLarge(cause) : cause)
}

function remove({ threads, idle }: Pool, thread: ReaderThread): void {
  threads.delete(thread)
  const place = idle.indexOf(thread)
  if (place !== -1) idle.splice(place, 1)
}

async function end(
  pool: Pool,
  thread: ReaderThread,
  reason: AppError = new AppError('SCRAPE_JOB_CANCELLED'),
): Promise<void> {
  remove(pool, thread)
  const terminated = thread.worker.terminate()
  takeTurn(thread, terminated)?.reject(reason)
  await terminated
}

function abandon(pool: Pool, turn: Turn): void {
  turn.reject(turn.signal.reason)
  for (const thread of pool.threads) {
    if (thread.turn !== turn) continue
    clearTimeout(thread.clock)
    // Nothing can stop it but its end; most pages are read sooner than a new thread would have started.
    thread.clock = setTimeout(() => end(pool, thread), pool.limits.graceMs).unref()
  }
}

const isOutOfMemory = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

function tooLarge(cause: unknown): AppError {
  const message = 'Reading the page takes more memory than this service gives to one page.'
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render' }, { message, cause })
}

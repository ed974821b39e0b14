import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from '../base/compile-cache.ts'
import { listener } from '../base/functions.ts'
import type { ThreadAnswer, ThreadOrder } from './messages.ts'

/** A thread that reads one page at a time. */
export interface ReaderThread {
  worker: Worker
  turn: Turn | undefined
  /** Ends the thread: when it has rested too long, or worked too long for nobody. */
  clock: NodeJS.Timeout | undefined
}

export interface Turn {
  /** Called when the thread is free for another turn, or gone. */
  onFreed(): void
  resolve(done: unknown): void
  reject(cause: unknown): void
  /** The caller has gone. */
  abandon(): void
  signal: AbortSignal
}

interface ThreadEvents {
  answered(thread: ReaderThread, answer: ThreadAnswer): void
  /** It has ended, by itself or by what it read; may be reported more than once. */
  died(thread: ReaderThread, cause: unknown): void
}

const script = new URL('./thread.ts', import.meta.url)

export function startThread({ megabytes }: { megabytes: number }, events: ThreadEvents): ReaderThread {
  const worker = new Worker(script, {
    // It reads what strangers wrote and needs none of our secrets.
    env: compileCacheEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  })
  worker.unref()
  const thread: ReaderThread = { worker, turn: undefined, clock: undefined }
  const hear = (answer: ThreadAnswer) => events.answered(thread, answer)
  worker.on(
    'message',
    listener(hear, (cause) => events.died(thread, cause)),
  )
  worker.on('error', (cause) => events.died(thread, cause))
  worker.on('exit', () => events.died(thread, new Error('A thread that reads pages has ended.')))
  return thread
}

export function beginTurn(thread: ReaderThread, turn: Turn, order: ThreadOrder): void {
  clearTimeout(thread.clock)
  thread.turn = turn
  turn.signal.addEventListener('abort', turn.abandon, { once: true })
  const { sent, buffers } = copied(order)
  const ports = order.kind === 'read' && order.later ? [order.later] : []
  thread.worker.postMessage(sent, [...buffers, ...ports])
}

/** Ends the turn of a thread, which is free after `freed`: every turn ends here, so its permit is always released. */
export function takeTurn(
  thread: ReaderThread,
  freed: Promise<unknown> = Promise.resolve(),
): Turn | undefined {
  clearTimeout(thread.clock)
  const { turn } = thread
  thread.turn = undefined
  turn?.signal.removeEventListener('abort', turn.abandon)
  if (turn) freed.then(turn.onFreed, turn.onFreed)
  return turn
}

/** What is shared is not copied. Else a copy of these bytes alone: they may be a view of a much larger buffer. */
function copied(order: ThreadOrder): { sent: ThreadOrder; buffers: ArrayBuffer[] } {
  if (order.kind !== 'read' || order.page.bytes.buffer instanceof SharedArrayBuffer) {
    return { sent: order, buffers: [] }
  }
  const bytes = new Uint8Array(order.page.bytes)
  return { sent: { ...order, page: { ...order.page, bytes } }, buffers: [bytes.buffer] }
}

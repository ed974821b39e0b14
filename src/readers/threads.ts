import { Worker } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'
import { type FairPlace, fairPlaces, type PlaceWish } from '../base/fair-places.ts'
import { listener } from '../base/listener.ts'
import type { Log } from '../base/log.ts'
import { unsaid } from '../base/without-words.ts'
import type { ThreadAnswer, ThreadOrder } from './reading.ts'

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
  run(order: ThreadOrder, who: PlaceWish, signal: AbortSignal): Promise<unknown>
  stop(): Promise<void>
}

interface Thread {
  worker: Worker
  turn: Turn | undefined
  /** Ends the thread: when it has rested too long, or worked too long for nobody. */
  clock: NodeJS.Timeout | undefined
}

interface Turn {
  place: FairPlace
  resolve(done: unknown): void
  reject(cause: unknown): void
  /** Whoever asked has gone. */
  abandon(): void
  signal: AbortSignal
}

const script = new URL('./thread.ts', import.meta.url)

/** Threads that read pages, one page each at a time. One that dies takes its page with it and nobody else. */
export function readerThreads(limits: ThreadLimits, log: Log): Threads {
  const threads = new Set<Thread>()
  /** The one that was used last is used first, so that the others may end. */
  const idle: Thread[] = []
  const places = fairPlaces({ places: limits.threads, spare: limits.spare })
  const stopping = new AbortController()

  function start(): Thread {
    const worker = new Worker(script, {
      // It reads what strangers wrote and needs none of our secrets.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    })
    worker.unref()
    const thread: Thread = { worker, turn: undefined, clock: undefined }
    const hear = (answer: ThreadAnswer) => finish(thread, answer)
    worker.on(
      'message',
      listener(hear, (cause) => lose(thread, cause)),
    )
    worker.on('error', (cause) => lose(thread, cause))
    worker.on('exit', () => lose(thread, new Error('A thread that reads pages has ended.')))
    threads.add(thread)
    return thread
  }

  function begin(thread: Thread, turn: Turn, order: ThreadOrder): void {
    clearTimeout(thread.clock)
    thread.turn = turn
    turn.signal.addEventListener('abort', turn.abandon, { once: true })
    const { sent, buffers } = copied(order)
    thread.worker.postMessage(sent, buffers)
  }

  function finish(thread: Thread, answer: ThreadAnswer): void {
    const turn = takeTurn(thread)
    thread.clock = setTimeout(() => end(thread), limits.idleMs).unref()
    idle.push(thread)
    if ('done' in answer) turn?.resolve(answer.done)
    else turn?.reject('refused' in answer ? AppError.fromStored(answer.refused) : answer.problem)
    turn?.place.leave()
  }

  function lose(thread: Thread, cause: unknown): void {
    if (!threads.has(thread)) return
    remove(thread)
    const turn = takeTurn(thread)
    if (turn) log.warn({ cause: unsaid(cause) }, 'a thread that read a page has died')
    turn?.reject(isOutOfMemory(cause) ? tooLarge(cause) : cause)
    turn?.place.leave()
  }

  /** Its turn is over, one way or the other. */
  function takeTurn(thread: Thread): Turn | undefined {
    clearTimeout(thread.clock)
    const { turn } = thread
    thread.turn = undefined
    turn?.signal.removeEventListener('abort', turn.abandon)
    return turn
  }

  function remove(thread: Thread): void {
    threads.delete(thread)
    const place = idle.indexOf(thread)
    if (place !== -1) idle.splice(place, 1)
  }

  async function end(thread: Thread): Promise<void> {
    remove(thread)
    const turn = takeTurn(thread)
    turn?.reject(new AppError('SCRAPE_JOB_CANCELLED'))
    await thread.worker.terminate()
    turn?.place.leave()
  }

  function abandon(turn: Turn): void {
    turn.reject(turn.signal.reason)
    for (const thread of threads) {
      // Nothing can stop it but its end; most pages are read sooner than a new thread would have started.
      if (thread.turn === turn) thread.clock = setTimeout(() => end(thread), limits.graceMs).unref()
    }
  }

  return {
    async run(order, who, signal) {
      const ended = AbortSignal.any([signal, stopping.signal])
      const place = await places.enter(who, ended)
      if (ended.aborted) {
        place.leave()
        throw ended.reason
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const turn: Turn = { place, resolve, reject, signal, abandon: () => abandon(turn) }
      begin(idle.pop() ?? start(), turn, order)
      return promise
    },
    async stop() {
      stopping.abort(new AppError('SCRAPE_JOB_CANCELLED'))
      await Promise.all([...threads].map(end))
    },
  }
}

/** What is shared is not copied. Else a copy of these bytes alone: they may be a view of a much larger buffer. */
function copied(order: ThreadOrder): { sent: ThreadOrder; buffers: ArrayBuffer[] } {
  if (order.kind === 'compare' || order.page.bytes.buffer instanceof SharedArrayBuffer) {
    return { sent: order, buffers: [] }
  }
  const bytes = new Uint8Array(order.page.bytes)
  return { sent: { ...order, page: { ...order.page, bytes } }, buffers: [bytes.buffer] }
}

const isOutOfMemory = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

function tooLarge(cause: unknown): AppError {
  const message = 'Reading the page takes more memory than this service gives to one page.'
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'render' }, { message, cause })
}

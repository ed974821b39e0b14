import { Worker } from 'node:worker_threads'
import { listener } from '../../base/listener.ts'
import type { Log } from '../../base/log.ts'
import type { ModelProcess } from '../sentence-model/model-process.ts'
import type {
  AnswerMessage,
  EmbedMessage,
  OrderMessage,
  SearchAnswers,
  SearchOrder,
  VectorsMessage,
} from './messages.ts'

/** The thread that holds the index: nothing of it runs where calls are answered. */
export interface SearchThread {
  ask<Order extends SearchOrder>(order: Order, signal?: AbortSignal): Promise<SearchAnswers[Order['kind']]>
  stop(): Promise<void>
}

interface Started {
  worker: Worker
  waiting: Map<number, { resolve(done: unknown): void; reject(cause: unknown): void }>
}

export interface SearchThreadEntry {
  script: URL
  data: unknown
  megabytes: number
  idleMs: number
  /** The process that makes vectors for the thread; undefined if pages are ranked by words alone. */
  model: Pick<ModelProcess, 'embed'> | undefined
}

/** Starts with the first order, and again with the next after it died. */
export function searchThread(entry: SearchThreadEntry, log: Log): SearchThread {
  let started: Started | undefined
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  function start(): Started {
    const worker = new Worker(entry.script, {
      // Its data says where its store is, and it needs nothing else of ours.
      env: {},
      workerData: entry.data,
      resourceLimits: { maxOldGenerationSizeMb: entry.megabytes },
    })
    worker.unref()
    const one: Started = { worker, waiting: new Map() }
    const died = (cause: unknown) => {
      if (started === one) started = undefined
      if (one.waiting.size > 0) log.warn({ cause }, 'the thread of the search index has died')
      for (const { reject } of one.waiting.values()) reject(cause)
      one.waiting.clear()
    }
    worker.on(
      'message',
      listener((message: AnswerMessage | EmbedMessage) => {
        if ('embedId' in message) return embedFor(worker, entry.model, message)
        settle(one, message)
        endWhenIdle(one)
      }, died),
    )
    worker.on('error', died)
    worker.on('exit', () => died(new Error('The thread of the search index has ended.')))
    return one
  }

  /** Only a thread without an order ends, also if the callers of its orders have gone. */
  function endWhenIdle(one: Started): void {
    clearTimeout(idle)
    if (started === one && one.waiting.size === 0) idle = setTimeout(stop, entry.idleMs).unref()
  }

  /** What it holds is on the disk: it may end at any time. */
  async function stop(): Promise<void> {
    clearTimeout(idle)
    const { worker } = started ?? {}
    started = undefined
    await worker?.terminate()
  }

  return {
    async ask<Order extends SearchOrder>(order: Order, signal?: AbortSignal) {
      signal?.throwIfAborted()
      clearTimeout(idle)
      started ??= start()
      const { worker, waiting } = started
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(id, { resolve, reject })
      // The thread has the order all the same, so it stays among those that wait.
      const leave = () => reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      worker.postMessage({ id, order } satisfies OrderMessage)
      try {
        // The order says which of the answers it is.
        return (await promise) as SearchAnswers[Order['kind']]
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
    stop,
  }
}

function settle({ waiting }: Started, answer: AnswerMessage): void {
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if ('problem' in answer) asked?.reject(answer.problem)
  else asked?.resolve(answer.done)
}

/** Without vectors in this time, a search ranks by words alone. */
const searchVectorsMs = 8000
/** Work behind this one in the thread does not wait longer for a model that is busy with callers. */
const backgroundVectorsMs = 30_000

async function embedFor(
  worker: Worker,
  model: SearchThreadEntry['model'],
  { embedId, texts, who }: EmbedMessage,
): Promise<void> {
  const signal = AbortSignal.timeout(who.isBackground ? backgroundVectorsMs : searchVectorsMs)
  const late = { failure: 'The sentence model did not answer in time.', isLate: true }
  const outcome = await model?.embed(texts, { who, signal }).catch(() => late)
  worker.postMessage({ embedId, outcome: outcome ?? late } satisfies VectorsMessage)
}

import { Worker } from 'node:worker_threads'
import { listener } from '../../base/listener.ts'
import type { Log } from '../../base/log.ts'
import type { AnswerMessage, OrderMessage, SearchAnswers, SearchOrder } from './messages.ts'

/** The thread that holds the index: nothing of it runs where calls are answered. */
export interface SearchThread {
  ask<Order extends SearchOrder>(order: Order, signal?: AbortSignal): Promise<SearchAnswers[Order['kind']]>
  stop(): Promise<void>
}

interface Started {
  worker: Worker
  waiting: Map<number, { resolve(done: unknown): void; reject(cause: unknown): void }>
}

/** Starts with the first order, and again with the next after it died. */
export function searchThread(
  entry: { script: URL; data: unknown; megabytes: number; idleMs: number },
  log: Log,
): SearchThread {
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
      listener((answer: AnswerMessage) => settle(one, answer), died),
    )
    worker.on('error', died)
    worker.on('exit', () => died(new Error('The thread of the search index has ended.')))
    return one
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
      const leave = () => {
        waiting.delete(id)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      worker.postMessage({ id, order } satisfies OrderMessage)
      try {
        // The order says which of the answers it is.
        return (await promise) as SearchAnswers[Order['kind']]
      } finally {
        signal?.removeEventListener('abort', leave)
        if (waiting.size === 0) idle = setTimeout(stop, entry.idleMs).unref()
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

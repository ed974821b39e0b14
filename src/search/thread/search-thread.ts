import { Worker } from 'node:worker_threads'
import { listener } from '../../base/listener.ts'
import type { Log } from '../../base/log.ts'
import type { RequestMessage, ResultMessage, SearchRequest, SearchResults } from './messages.ts'

/** The thread that holds the index: nothing of it runs where calls are answered. */
export interface SearchThread {
  ask<Request extends SearchRequest>(
    request: Request,
    signal?: AbortSignal,
  ): Promise<SearchResults[Request['kind']]>
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
      listener((message: ResultMessage) => {
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
    async ask<Request extends SearchRequest>(request: Request, signal?: AbortSignal) {
      signal?.throwIfAborted()
      clearTimeout(idle)
      started ??= start()
      const { worker, waiting } = started
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(id, { resolve, reject })
      // The thread works on it all the same, so it stays among those that wait.
      const leave = () => reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      worker.postMessage({ id, request } satisfies RequestMessage)
      try {
        // The kind of the request determines the type of the result.
        return (await promise) as SearchResults[Request['kind']]
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
    stop,
  }
}

function settle({ waiting }: Started, message: ResultMessage): void {
  const request = waiting.get(message.id)
  waiting.delete(message.id)
  if ('error' in message) request?.reject(message.error)
  else request?.resolve(message.result)
}

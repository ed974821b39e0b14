import { Worker } from 'node:worker_threads'
import { listener } from '../../base/functions.ts'
import type { Log } from '../../base/log.ts'
import type { RequestMessage, ResultMessage, SearchRequest, SearchResults } from './serve.ts'

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
  waiting: Map<number, PromiseWithResolvers<unknown>>
}

interface SearchThreadEntry {
  script: URL
  data: unknown
  megabytes: number
  idleMs: number
}

/** Starts with the first request, and again with the next one after it died. */
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
    const onMessage = (message: ResultMessage) => {
      const request = one.waiting.get(message.id)
      one.waiting.delete(message.id)
      if ('error' in message) request?.reject(message.error)
      else request?.resolve(message.result)
      clearTimeout(idle)
      // Only a thread without a request ends, even if the callers of its requests have left.
      if (started === one && one.waiting.size === 0) idle = setTimeout(stop, entry.idleMs).unref()
    }
    worker.on('message', listener(onMessage, died))
    worker.on('error', died)
    worker.on('exit', () => died(new Error('The thread of the search index has ended.')))
    return one
  }

  /** Everything that the thread has is on the disk, so it may end at any time. */
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
      lastId += 1
      const outcome = Promise.withResolvers<unknown>()
      started.waiting.set(lastId, outcome)
      // The thread works on the request anyway, so it stays among those that wait.
      const leave = () => outcome.reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      started.worker.postMessage({ id: lastId, request } satisfies RequestMessage)
      try {
        // The kind of the request determines the type of the result.
        return (await outcome.promise) as SearchResults[Request['kind']]
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
    stop,
  }
}

import { type Transferable, Worker } from 'node:worker_threads'
import { listener } from '../functions.ts'
import type { ChildProgram } from './child.ts'

export interface ThreadOptions {
  /** Appears in error messages and log lines. */
  name: string
  script: URL
  /** How large the heap of one thread may grow. */
  megabytes: number
  /** All of the environment: a thread that reads what strangers wrote needs none of our secrets. */
  environment: Record<string, string>
  data?: unknown
  /** Called when a thread gets the request: what it shares with the caller may have to be copied, and buffers can be moved. */
  pack?(request: unknown): { request: unknown; moved: Transferable[] }
}

/** A script that runs `serveThread` in a thread with limits. */
export function threadProgram(options: ThreadOptions): ChildProgram {
  const { name, script, megabytes, environment, data, pack } = options
  const title = `${name} thread`
  return {
    title,
    start({ received, ended }) {
      const worker = new Worker(script, {
        env: environment,
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: megabytes },
      })
      const died = (cause?: unknown) =>
        ended(isOutOfMemory(cause) ? 'memory' : 'ended', `The ${title} has ended.`, cause)
      worker.on('message', listener(received, died))
      worker.on('error', died)
      worker.on('exit', () => died())
      // After the listeners, which would keep the process alive again.
      worker.unref()
      return {
        send(message) {
          const packed = 'request' in message ? pack?.(message.request) : undefined
          if (packed) worker.postMessage({ ...message, request: packed.request }, packed.moved)
          else worker.postMessage(message)
        },
        keepsAlive: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
        kill: () => worker.terminate(),
      }
    },
  }
}

const isOutOfMemory = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

import { type Transferable, Worker } from 'node:worker_threads'
import { listener } from '../functions.ts'
import type { ChildProgram } from './child.ts'

export interface ThreadOptions {
  name: string
  script: URL
  megabytes: number
  /** Complete environment: a thread that reads untrusted content needs no secrets of the service. */
  environment: Record<string, string>
  data?: unknown
  /** Called when a request is sent. Data that the caller also uses may have to be copied, and buffers can be moved. */
  pack?(request: unknown): { request: unknown; moved: Transferable[] }
}

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
      const onEnd = (cause?: unknown) =>
        ended(isOutOfMemory(cause) ? 'memory' : 'ended', `The ${title} has ended.`, cause)
      worker.on('message', listener(received, onEnd))
      worker.on('error', onEnd)
      worker.on('exit', () => onEnd())
      // Called after the listeners are added, because a listener keeps the process alive again.
      worker.unref()
      return {
        send(message) {
          const packed = 'request' in message ? pack?.(message.request) : undefined
          if (packed) worker.postMessage({ ...message, request: packed.request }, packed.moved)
          else worker.postMessage(message)
        },
        setKeepAlive: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
        kill: () => worker.terminate(),
      }
    },
  }
}

const isOutOfMemory = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

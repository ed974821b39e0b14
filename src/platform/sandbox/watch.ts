import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from '../compile-cache.ts'
import { listener } from '../functions.ts'
import type { Exceeded } from '../ports/sandbox.ts'

export interface WatchedSandbox {
  pid: number
  megabytes: number
  files: number
}

export type LimitsWatcher = ReturnType<typeof createLimitsWatcher>

const restartDelayMs = 100

/** System limits apply to one process, so a thread measures the total of a sandbox from outside. */
export function createLimitsWatcher() {
  const watches = new Map<WatchedSandbox, (exceeded: Exceeded) => void>()
  let thread: Worker | undefined

  function startThread(): Worker {
    const worker = new Worker(new URL('./watch-thread.ts', import.meta.url), {
      env: compileCacheEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    const onMessage = ({ pid, exceeded }: { pid: number; exceeded: Exceeded }) => {
      for (const [watched, onExceeded] of watches) {
        if (watched.pid !== pid) continue
        watches.delete(watched)
        onExceeded(exceeded)
      }
    }
    // After an error, a new thread starts. It reports sandboxes that still exceed their limits.
    const onError = () => void worker.terminate()
    worker.on('message', listener(onMessage, onError))
    worker.on('error', () => {})
    worker.on('exit', () => {
      thread = undefined
      if (watches.size > 0) setTimeout(takeOver, restartDelayMs).unref()
    })
    // Called after the listeners are added, because adding one makes the thread keep the process alive again.
    worker.unref()
    return worker
  }

  function takeOver(): void {
    thread ??= startThread()
    for (const watched of watches.keys()) thread.postMessage({ watch: watched })
  }

  return {
    watch(watched: WatchedSandbox, onExceeded: (exceeded: Exceeded) => void): () => void {
      watches.set(watched, onExceeded)
      thread ??= startThread()
      thread.postMessage({ watch: watched })
      return () => {
        if (watches.delete(watched)) thread?.postMessage({ forget: watched.pid })
      }
    },
  }
}

import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from '../compile-cache.ts'
import { listener } from '../functions.ts'
import type { Exceeded } from '../ports/sandbox.ts'

export interface Watched {
  /** The process that the sandbox was started with; all others descend from it. */
  pid: number
  megabytes: number
  files: number
}

export interface LimitsWatcher {
  /** Calls back once, when a limit is exceeded; returns a function that stops watching. */
  watch(watched: Watched, onExceeded: (exceeded: Exceeded) => void): () => void
}

const restartAfter = 100

/**
 * System limits apply to one process; the total of a sandbox is measured from outside. In a thread,
 * because a measurement takes longer the more processes the sandbox starts.
 */
export function createLimitsWatcher(): LimitsWatcher {
  const watches = new Map<Watched, (exceeded: Exceeded) => void>()
  let thread: Worker | undefined

  function started(): Worker {
    const worker = new Worker(new URL('./watch-thread.ts', import.meta.url), {
      env: compileCacheEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    const hear = ({ pid, exceeded }: { pid: number; exceeded: Exceeded }) => {
      for (const [watched, onExceeded] of watches) {
        if (watched.pid !== pid) continue
        watches.delete(watched)
        onExceeded(exceeded)
      }
    }
    // The next thread finds a sandbox again that is over its limits and could not be ended.
    worker.on(
      'message',
      listener(hear, () => void worker.terminate()),
    )
    worker.on('error', () => {})
    worker.on('exit', () => {
      thread = undefined
      if (watches.size > 0) setTimeout(takeOver, restartAfter).unref()
    })
    // After the listeners, which would keep the process alive again.
    worker.unref()
    return worker
  }

  /** Nothing runs unwatched: the next thread takes over all watched sandboxes. */
  function takeOver(): void {
    thread ??= started()
    for (const watched of watches.keys()) thread.postMessage({ watch: watched })
  }

  return {
    watch(watched, onExceeded) {
      watches.set(watched, onExceeded)
      thread ??= started()
      thread.postMessage({ watch: watched })
      return () => {
        if (watches.delete(watched)) thread?.postMessage({ forget: watched.pid })
      }
    },
  }
}

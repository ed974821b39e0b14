import { Worker } from 'node:worker_threads'
import { listener } from '../../base/listener.ts'
import type { Exceeded } from '../../ports/sandbox.ts'

export interface Watched {
  /** The process that the sandbox was started with; all others descend from it. */
  pid: number
  megabytes: number
  files: number
}

export interface LimitsWatcher {
  /** Calls back once, when a limit is exceeded; answers how to stop looking. */
  watch(watched: Watched, onExceeded: (exceeded: Exceeded) => void): () => void
}

const restartAfter = 100

/**
 * Limits of the system hold for one process; what all of a sandbox takes together is looked at from outside. In a thread,
 * because looking takes the longer the more processes somebody starts.
 */
export function limitsWatcher(): LimitsWatcher {
  const watches = new Map<Watched, (exceeded: Exceeded) => void>()
  let thread: Worker | undefined

  function started(): Worker {
    const worker = new Worker(new URL('./watch-thread.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    const hear = ({ pid, exceeded }: { pid: number; exceeded: Exceeded }) => {
      for (const [watched, onExceeded] of watches) {
        if (watched.pid !== pid) continue
        watches.delete(watched)
        onExceeded(exceeded)
      }
    }
    // Whoever is over its limits and cannot be ended is found again by the next thread.
    worker.on(
      'message',
      listener(hear, () => void worker.terminate()),
    )
    worker.on('error', () => {})
    worker.on('exit', () => {
      thread = undefined
      if (watches.size > 0) setTimeout(takeOver, restartAfter).unref()
    })
    // After the listeners, which would hold the process again.
    worker.unref()
    return worker
  }

  /** Nothing runs unwatched: the next thread takes over all that were watched. */
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

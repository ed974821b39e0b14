import { Worker } from 'node:worker_threads'
import { type Activity, activityCell, createSharedActivity } from '../../platform/activity.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'
import { listener } from '../../platform/functions.ts'
import type { Log, LogOptions } from '../../platform/log.ts'
import type { ThreadMessage, WatchdogData } from './watchdog-thread.ts'

interface WatchdogDeps {
  log: Log
  /** Options of the log. The thread writes to the log directly, because a blocked main thread may never log again. */
  logOptions: LogOptions
  onBlocked(): void
}

/** The thread ends a minute after the last call or job, because an idle thread costs 10 MB. */
export function createWatchdog({ log, logOptions, onBlocked }: WatchdogDeps): Activity & { stop(): void } {
  const { memory, cells, begin } = createSharedActivity()
  let worker: Worker | undefined
  let hasStopped = false

  function startThread(): void {
    const started = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
      env: compileCacheEnvironment(),
      workerData: { memory, pid: process.pid, logOptions } satisfies WatchdogData,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
    })
    const warn = (cause: unknown) =>
      log.warn({ cause }, 'the thread that watches the main thread has died; the next call starts another')
    const onMessage = (message: ThreadMessage) => {
      if ('probe' in message) Atomics.store(cells, activityCell.answeredProbe, message.probe)
      else onBlocked()
    }
    started.on('message', listener(onMessage, warn))
    started.on('error', warn)
    // A thread that ends because nothing is in progress has already reset this, and another one may be running.
    started.on('exit', (code) => code !== 0 && Atomics.store(cells, activityCell.threadRuns, 0))
    // `unref` is called after the listeners are added, because adding them keeps the process alive.
    started.unref()
    worker = started
  }

  return {
    begin(label) {
      const end = begin(label)
      const isMissing = Atomics.compareExchange(cells, activityCell.threadRuns, 0, 1) === 0
      if (isMissing && !hasStopped) startThread()
      return end
    },
    stop() {
      hasStopped = true
      void worker?.terminate()
    },
  }
}

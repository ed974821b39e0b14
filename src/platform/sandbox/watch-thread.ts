import { parentPort } from 'node:worker_threads'
import type { Exceeded } from '../ports/sandbox.ts'
import { exactMegabytes, measureUsage, type Usage } from './usage.ts'
import type { WatchedSandbox } from './watch.ts'

/** Interval between two checks: shorter than the time to fill the memory of a machine. */
const intervalMs = 200
/** Interval while the usage of a sandbox grows: memory can be filled at gigabytes a second. */
const growingIntervalMs = 30
const minGrowthMegabytes = 16

const sandboxes = new Map<number, WatchedSandbox>()
const lastMegabytes = new Map<number, number>()
let isScheduled = false

parentPort?.on('message', (message: { watch: WatchedSandbox } | { forget: number }) => {
  if ('watch' in message) sandboxes.set(message.watch.pid, message.watch)
  else stopWatching(message.forget)
  if (sandboxes.size > 0 && !isScheduled) scheduleCheck(intervalMs)
})

function stopWatching(pid: number): void {
  sandboxes.delete(pid)
  lastMegabytes.delete(pid)
}

function scheduleCheck(milliseconds: number): void {
  isScheduled = true
  setTimeout(checkAll, milliseconds)
}

function checkAll(): void {
  let isGrowing = false
  for (const sandbox of sandboxes.values()) {
    const usage = measureUsage(sandbox.pid, sandbox.megabytes)
    const exceeded = findExceeded(sandbox, usage)
    isGrowing ||= usage.megabytes > (lastMegabytes.get(sandbox.pid) ?? usage.megabytes) + minGrowthMegabytes
    lastMegabytes.set(sandbox.pid, usage.megabytes)
    if (!exceeded) continue
    stopWatching(sandbox.pid)
    parentPort?.postMessage({ pid: sandbox.pid, exceeded })
  }
  // The interval starts at the end of a check, so that a slow machine has a pause between two checks.
  isScheduled = false
  if (sandboxes.size > 0) scheduleCheck(isGrowing ? growingIntervalMs : intervalMs)
}

function findExceeded({ pid, megabytes, files }: WatchedSandbox, usage: Usage): Exceeded | undefined {
  if (usage.files > files) return { limit: 'files', max: files }
  if (usage.megabytes > megabytes && exactMegabytes(pid) > megabytes) {
    return { limit: 'memory', max: megabytes }
  }
  return undefined
}

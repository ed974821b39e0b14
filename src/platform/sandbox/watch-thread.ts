import { parentPort } from 'node:worker_threads'
import type { Exceeded } from '../ports/sandbox.ts'
import { exactMegabytes, type Usage, usageOf } from './usage.ts'
import type { Watched } from './watch.ts'

/** The interval between two checks: shorter than the time to fill the memory of a machine. */
const between = 200
/** The interval for a sandbox whose usage grows: memory can be filled at gigabytes a second. */
const betweenGrown = 30
const grown = 16

const watched = new Map<number, Watched>()
/** Megabytes of each at the last check. */
const before = new Map<number, number>()
let isLooking = false

parentPort?.on('message', (message: { watch: Watched } | { forget: number }) => {
  if ('watch' in message) watched.set(message.watch.pid, message.watch)
  else forget(message.forget)
  if (watched.size > 0 && !isLooking) lookIn(between)
})

function forget(pid: number): void {
  watched.delete(pid)
  before.delete(pid)
}

function lookIn(milliseconds: number): void {
  isLooking = true
  setTimeout(look, milliseconds)
}

function look(): void {
  let isGrowing = false
  for (const one of watched.values()) {
    const usage = usageOf(one.pid, one.megabytes)
    const exceeded = excessOf(one, usage)
    isGrowing ||= usage.megabytes > (before.get(one.pid) ?? usage.megabytes) + grown
    before.set(one.pid, usage.megabytes)
    if (!exceeded) continue
    forget(one.pid)
    parentPort?.postMessage({ pid: one.pid, exceeded })
  }
  // Measured from the end of a check, so that a slow machine is not checked without a pause.
  isLooking = false
  if (watched.size > 0) lookIn(isGrowing ? betweenGrown : between)
}

function excessOf({ pid, megabytes, files }: Watched, usage: Usage): Exceeded | undefined {
  if (usage.files > files) return { limit: 'files', most: files }
  if (usage.megabytes > megabytes && exactMegabytes(pid) > megabytes) {
    return { limit: 'memory', most: megabytes }
  }
  return undefined
}

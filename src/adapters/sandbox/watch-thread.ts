import { parentPort } from 'node:worker_threads'
import type { Exceeded } from '../../ports/sandbox.ts'
import { exactMegabytes, usageOf } from './usage.ts'
import type { Watched } from './watch.ts'

/** How long code has between two looks: less than it takes to fill the memory of a machine. */
const between = 200

const watched = new Map<number, Watched>()
let isLooking = false

parentPort?.on('message', (message: { watch: Watched } | { forget: number }) => {
  if ('watch' in message) watched.set(message.watch.pid, message.watch)
  else watched.delete(message.forget)
  if (watched.size > 0 && !isLooking) lookSoon()
})

function lookSoon(): void {
  isLooking = true
  setTimeout(look, between)
}

function look(): void {
  for (const one of watched.values()) {
    const exceeded = excessOf(one)
    if (!exceeded) continue
    watched.delete(one.pid)
    parentPort?.postMessage({ pid: one.pid, exceeded })
  }
  // Counted from the end of the look, so that a machine that is slow to answer is not asked without pause.
  isLooking = false
  if (watched.size > 0) lookSoon()
}

function excessOf({ pid, megabytes, files }: Watched): Exceeded | undefined {
  const usage = usageOf(pid)
  if (usage.files > files) return { limit: 'files', most: files }
  if (usage.megabytes > megabytes && exactMegabytes(pid) > megabytes) {
    return { limit: 'memory', most: megabytes }
  }
  return undefined
}

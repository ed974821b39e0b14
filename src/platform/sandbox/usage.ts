import { readdirSync, statfsSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { family, proportionalMegabytes, textOf } from '../child/processes.ts'

export interface Usage {
  /** Memory of all processes, including kernel memory. Never too low; shared memory may be counted several times. */
  megabytes: number
  /** Files, folders and links in the folders that can be written to. */
  files: number
}

/** Folders inside that can be written to. */
const writableFolders = ['/tmp', '/dev/shm']

/**
 * The resource usage of a sandbox, as far as it is visible without walking every mapping. What waits in its connections is left
 * out where it cannot lead beyond the limit.
 */
export function usageOf(pid: number, limitMegabytes: number): Usage {
  const members = family(pid)
  const [, first] = members
  const own = sum(members.map(processMegabytes))
  return {
    megabytes: own + (first === undefined ? 0 : kernelMegabytes(first, members, limitMegabytes - own)),
    files: first === undefined ? 0 : sum(writableFolders.map((folder) => filesIn(first, folder))),
  }
}

/** The same with shared memory counted once; slow. */
export function exactMegabytes(pid: number): number {
  const members = family(pid)
  const [, first] = members
  return (
    sum(members.map((member) => proportionalMegabytes(member) + tableMegabytes(statusOf(member)))) +
    (first === undefined ? 0 : kernelMegabytes(first, members, 0))
  )
}

const processMegabytes = (pid: number) => {
  const status = statusOf(pid)
  return kilobytesIn(status, /^Rss(?:Anon|Shmem):\s+(\d+)/gm) / 1024 + tableMegabytes(status)
}

/** Memory that is only read costs nothing except its page tables. */
const tableMegabytes = (status: string) => kilobytesIn(status, /^VmPTE:\s+(\d+)/gm) / 1024

function kilobytesIn(status: string, pattern: RegExp): number {
  return sum([...status.matchAll(pattern)].map((match) => Number(match[1])))
}

/** Upper bound of the memory for connections, pipes and terminals. */
function kernelMegabytes(first: number, members: number[], room: number): number {
  const { sockets, maxQueued } = socketsOf(first)
  const held =
    sum(members.map((member) => handlesOf(member) * bytesPerHandle)) +
    sockets * bufferBytes() +
    sum(terminalsOf(first).map(() => bytesPerTerminal))
  const queued = held + maxQueued <= room * megabyte ? 0 : queuedIn(first)
  return (held + queued) / megabyte
}

const megabyte = 1024 * 1024

/** What waits in connections. The kernel walks the table of the whole machine for it: milliseconds, however few there are. */
function queuedIn(pid: number): number {
  const bytes = sum(['tcp', 'tcp6'].map((kind) => queuedBytes(textOf(`/proc/${pid}/net/${kind}`))))
  // Each waiting byte needs up to one more byte of bookkeeping.
  return 2 * bytes
}

/** A pipe keeps two pages when its user has many, and has two ends. */
const bytesPerHandle = 8192
const bytesPerTerminal = 128 * 1024
/** Every process has a table of this many from the start. */
const freeHandles = 256

function handlesOf(pid: number): number {
  return Math.max(0, Number(/^FDSize:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) - freeHandles)
}

/** The sockets of a sandbox, and how much can wait in them at most: what waits in those of the whole machine. */
function socketsOf(pid: number): { sockets: number; maxQueued: number } {
  const counts = textOf(`/proc/${pid}/net/sockstat`)
  const pages = /^TCP: .* mem (\d+)/m.exec(counts)?.[1]
  return {
    sockets: Number(/^sockets: used (\d+)/m.exec(counts)?.[1] ?? 0),
    maxQueued: pages === undefined ? Infinity : Number(pages) * maxPageBytes + cpus().length * uncounted,
  }
}

/** Pages are larger on some machines than on most. */
const maxPageBytes = 65_536
/** Each core counts on its own up to here. */
const uncounted = megabyte

let usualBuffer: number | undefined

function bufferBytes(): number {
  usualBuffer ??= Math.max(
    ...['wmem_default', 'rmem_default'].map(
      (name) => Number(textOf(`/proc/sys/net/core/${name}`)) || 212_992,
    ),
  )
  return usualBuffer
}

/** The fifth column: bytes waiting to be sent and to be read. */
function queuedBytes(table: string): number {
  const queues = table.matchAll(/^ *\d+: \S+ \S+ \S+ ([0-9A-F]{8}):([0-9A-F]{8})/gm)
  return sum(
    [...queues].map(([, sending = '0', reading = '0']) => parseInt(sending, 16) + parseInt(reading, 16)),
  )
}

function terminalsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/root/dev/pts`)
  } catch {
    return []
  }
}

function filesIn(pid: number, folder: string): number {
  try {
    const path = `/proc/${pid}/root${folder}`
    // While the sandbox is being set up, its folders are still those of this machine, with all their files.
    if (deviceOf(path) === deviceOf(folder)) return 0
    const { files, ffree } = statfsSync(path)
    return files - ffree
  } catch {
    return 0
  }
}

const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev

const statusOf = (pid: number) => textOf(`/proc/${pid}/status`)

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

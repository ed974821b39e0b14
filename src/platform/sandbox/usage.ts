import { readdirSync, statfsSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { processTree, proportionalMegabytes, textOf } from '../child/processes.ts'
import { lazy } from '../functions.ts'

export interface Usage {
  /** Memory of all processes, including kernel memory. Never too low; shared memory may be counted several times. */
  megabytes: number
  files: number
}

const writableFolders = ['/tmp', '/dev/shm']

export function measureUsage(pid: number, limitMegabytes: number): Usage {
  const members = processTree(pid)
  const [, firstInside] = members
  const processTotal = sum(members.map(processMegabytes))
  if (firstInside === undefined) return { megabytes: processTotal, files: 0 }
  return {
    megabytes: processTotal + kernelMegabytes(firstInside, members, limitMegabytes - processTotal),
    files: sum(writableFolders.map((folder) => countFiles(firstInside, folder))),
  }
}

export function exactMegabytes(pid: number): number {
  const members = processTree(pid)
  const [, firstInside] = members
  return (
    sum(members.map((member) => proportionalMegabytes(member) + tableMegabytes(readStatus(member)))) +
    (firstInside === undefined ? 0 : kernelMegabytes(firstInside, members, 0))
  )
}

const processMegabytes = (pid: number) => {
  const status = readStatus(pid)
  return sumKilobytes(status, /^Rss(?:Anon|Shmem):\s+(\d+)/gm) / 1024 + tableMegabytes(status)
}

/** Returns the size of the page tables, which also grow if memory is only read. */
const tableMegabytes = (status: string) => sumKilobytes(status, /^VmPTE:\s+(\d+)/gm) / 1024

function sumKilobytes(status: string, pattern: RegExp): number {
  return sum([...status.matchAll(pattern)].map((match) => Number(match[1])))
}

/** Returns an upper bound of the memory for connections, pipes and terminals. */
function kernelMegabytes(firstInside: number, members: number[], remainingMegabytes: number): number {
  const { sockets, maxQueued } = readSockets(firstInside)
  const allocatedBytes =
    sum(members.map((member) => countHandles(member) * bytesPerHandle)) +
    sockets * getBufferBytes() +
    sum(listTerminals(firstInside).map(() => bytesPerTerminal))
  const queuedTotal =
    allocatedBytes + maxQueued <= remainingMegabytes * megabyte ? 0 : countQueuedBytes(firstInside)
  return (allocatedBytes + queuedTotal) / megabyte
}

const megabyte = 1024 * 1024

/** The kernel traverses the table of the entire machine, which takes milliseconds even for few connections. */
function countQueuedBytes(pid: number): number {
  const bytes = sum(['tcp', 'tcp6'].map((kind) => sumQueues(textOf(`/proc/${pid}/net/${kind}`))))
  // Each waiting byte needs up to one more byte of bookkeeping.
  return 2 * bytes
}

/** Memory per open handle. A pipe has two handles, and two pages if its user has many pipes. */
const bytesPerHandle = 8192
const bytesPerTerminal = 128 * 1024
const initialHandles = 256

function countHandles(pid: number): number {
  return Math.max(0, Number(/^FDSize:\s+(\d+)/m.exec(readStatus(pid))?.[1] ?? 0) - initialHandles)
}

/** `maxQueued` is an upper bound of the bytes in all sockets of the machine. */
function readSockets(pid: number): { sockets: number; maxQueued: number } {
  const counts = textOf(`/proc/${pid}/net/sockstat`)
  const pages = /^TCP: .* mem (\d+)/m.exec(counts)?.[1]
  return {
    sockets: Number(/^sockets: used (\d+)/m.exec(counts)?.[1] ?? 0),
    maxQueued:
      pages === undefined ? Infinity : Number(pages) * maxPageBytes + cpus().length * maxUncountedBytes,
  }
}

const maxPageBytes = 65_536
/** Maximum bytes that a core counts separately, before they are part of the total. */
const maxUncountedBytes = megabyte

const getBufferBytes = lazy(() => {
  const sizes = ['wmem_default', 'rmem_default'].map((name) => Number(textOf(`/proc/sys/net/core/${name}`)))
  return Math.max(...sizes.map((size) => size || 212_992))
})

/** Sums the fifth column: bytes that wait to be sent and to be read. */
function sumQueues(table: string): number {
  const queues = table.matchAll(/^ *\d+: \S+ \S+ \S+ ([0-9A-F]{8}):([0-9A-F]{8})/gm)
  return sum(
    [...queues].map(([, sending = '0', reading = '0']) => parseInt(sending, 16) + parseInt(reading, 16)),
  )
}

function listTerminals(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/root/dev/pts`)
  } catch {
    return []
  }
}

function countFiles(pid: number, folder: string): number {
  try {
    const path = `/proc/${pid}/root${folder}`
    // While the sandbox is being set up, its folders are still those of this machine, with all their files.
    if (getDevice(path) === getDevice(folder)) return 0
    const { files, ffree } = statfsSync(path)
    return files - ffree
  } catch {
    return 0
  }
}

const getDevice = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev

const readStatus = (pid: number) => textOf(`/proc/${pid}/status`)

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

import { readdirSync, readFileSync } from 'node:fs'

/** A process and all its descendants. */
export function family(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(family)]
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // Not Linux, or the process has just ended: nothing to count.
    return []
  }
}

/** Shared pages are counted once across all processes. Expensive: the kernel walks every mapping of the process. */
export function proportionalMegabytes(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Megabytes of memory that is not backed by a file: private memory, and memory that other processes may share. Cheap to read. */
export function memoryOf(pid: number): { own: number; shared: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
    return { own: read('RssAnon'), shared: read('RssShmem') }
  } catch {
    return { own: 0, shared: 0 }
  }
}

/** Processor time of all its threads so far, in milliseconds. */
export function processorTime(pid: number): number {
  try {
    // The name of the program is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
    return ticks * millisecondsPerTick
  } catch {
    return 0
  }
}

/** Linux reports hundredths of a second to programs, whatever it uses internally. */
const millisecondsPerTick = 10

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Whether the process still exists, including a zombie. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

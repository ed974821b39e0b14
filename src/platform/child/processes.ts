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
  return Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

/** The same of a process and all its descendants. */
export function residentMegabytes(pid: number | undefined): number {
  return pid === undefined ? 0 : family(pid).reduce((sum, one) => sum + proportionalMegabytes(one), 0)
}

/** Megabytes of memory that is not backed by a file: private memory, and memory that other processes may share. Cheap to read. */
export function memoryOf(pid: number): { own: number; shared: number } {
  const status = textOf(`/proc/${pid}/status`)
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { own: read('RssAnon'), shared: read('RssShmem') }
}

/** Processor time of all its threads so far, in milliseconds. */
export function processorTime(pid: number): number {
  // The name of the program is in parentheses and may contain spaces.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * millisecondsPerTick
}

/** Linux reports hundredths of a second to programs, whatever it uses internally. */
const millisecondsPerTick = 10

export function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`)
}

/** Text of a file of the kernel; empty if it cannot be read, as when its process has ended. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
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

import { readdirSync, readFileSync } from 'node:fs'

export function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)]
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // The system is not Linux, or the process has just ended.
    return []
  }
}

/** Counts shared pages once (PSS). Expensive: the kernel traverses every mapping of the process. */
export function proportionalMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
}

export function residentMegabytes(pid: number | undefined): number {
  return pid === undefined
    ? 0
    : processTree(pid).reduce((sum, member) => sum + proportionalMegabytes(member), 0)
}

/** Returns memory that is not backed by a file: private, and possibly shared with other processes. Cheap to read. */
export function memoryOf(pid: number): { own: number; shared: number } {
  const status = textOf(`/proc/${pid}/status`)
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { own: read('RssAnon'), shared: read('RssShmem') }
}

export function processorTime(pid: number): number {
  // The name of the program is in parentheses and may contain spaces.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * millisecondsPerTick
}

/** Milliseconds of the unit in which Linux reports processor time, independent of its internal unit. */
const millisecondsPerTick = 10

export function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`)
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

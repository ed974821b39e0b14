import { readdirSync, readFileSync } from 'node:fs'

/** Returns the user and system time of a process. */
export function processorMs(pid: number): number {
  const fields = readStat(pid)
  return toMs(fields[11], fields[12])
}

export function parentOf(pid: number): number {
  return Number(readStat(pid)[1])
}

/**
 * Returns the CPU time of a process and its descendants, including ended descendants whose parent has waited for them.
 */
export function processorMsOfFamily(pid: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter((id) => id > 0)
      .map((id) => [id, parentOf(id)]),
  )
  const sumFamily = (id: number): number => {
    const fields = readStat(id)
    const children = [...parents].filter(([, parent]) => parent === id)
    return toMs(...fields.slice(11, 15)) + children.reduce((sum, [child]) => sum + sumFamily(child), 0)
  }
  return sumFamily(pid)
}

/** Converts ticks of a hundredth of a second to milliseconds. */
const toMs = (...counts: (string | undefined)[]) =>
  counts.reduce((sum, count) => sum + Number(count ?? 0) * 10, 0)

/** Returns the fields after the name, which may contain spaces; an empty list if the process has ended. */
function readStat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

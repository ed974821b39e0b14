import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of a process so far. */
export function processorMs(pid: number): number {
  const fields = statOf(pid)
  return ticks(fields[11], fields[12])
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

/** Of a process, its children that live, and those that have ended. */
export function processorMsOfFamily(pid: number): number {
  const fields = statOf(pid)
  const children = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && parentOf(id) === pid)
  const living = children.reduce((sum, id) => sum + processorMs(id), 0)
  return ticks(fields[11], fields[12]) + ticks(fields[13], fields[14]) + living
}

/** Ticks of a hundredth of a second. */
const ticks = (...counts: (string | undefined)[]) =>
  counts.reduce((sum, count) => sum + Number(count ?? 0) * 10, 0)

/** The fields after the name, which may hold spaces; none for a process that has ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

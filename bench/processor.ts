import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of a process so far. */
export function processorMs(pid: number): number {
  const fields = statOf(pid)
  return ticks(fields[11], fields[12])
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

/** CPU time of a process and its descendants, including those that have ended and were waited for. */
export function processorMsOfFamily(pid: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter((id) => id > 0)
      .map((id) => [id, parentOf(id)]),
  )
  const sumOf = (id: number): number => {
    const fields = statOf(id)
    const children = [...parents].filter(([, parent]) => parent === id)
    return ticks(...fields.slice(11, 15)) + children.reduce((sum, [child]) => sum + sumOf(child), 0)
  }
  return sumOf(pid)
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

import { readdirSync, readFileSync } from 'node:fs'

/** A process and all that descend from it. */
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

/** Pages that processes share are counted once over all of them. Reading it walks every mapping of the process. */
export function proportionalMegabytes(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Memory that is backed by no file; what processes share is counted for each of them. Cheap to read. */
export function anonymousMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+)/gm)].map((match) => Number(match[1]))
    return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
  } catch {
    return 0
  }
}

/** Whether the process is still there, a dead one that nobody has asked about included. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

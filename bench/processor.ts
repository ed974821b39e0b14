import { readFileSync } from 'node:fs'

/** User and system time of a process so far. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Ticks of a hundredth of a second, in the twelfth and thirteenth field after the name.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

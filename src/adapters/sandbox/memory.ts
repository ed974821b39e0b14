import { anonymousMegabytes, family, proportionalMegabytes } from '../processes.ts'

const between = 500

/** Limits of the system hold for one process; what all processes of a sandbox take together is watched from outside. */
export function watchMemory(pid: number, mostMegabytes: number, onExceeded: () => void): { stop(): void } {
  const timer = setInterval(() => {
    const members = family(pid)
    // Cheap, and never too low; only when it is too high is it worth walking every mapping.
    if (total(members, anonymousMegabytes) <= mostMegabytes) return
    if (total(members, proportionalMegabytes) > mostMegabytes) onExceeded()
  }, between).unref()
  return { stop: () => clearInterval(timer) }
}

function total(members: number[], megabytesOf: (pid: number) => number): number {
  return members.reduce((sum, pid) => sum + megabytesOf(pid), 0)
}

import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../child/processes.ts'
import type { SandboxLimits } from '../ports/sandbox.ts'

/** A group of the kernel (cgroup v2), which counts all memory, including kernel memory. */
export interface Group {
  /** From now on, the process and all it starts are counted here. */
  join(pid: number): void
  /** Whether the kernel has ended it for its memory. */
  isOverMemory(): boolean
  /** Call it when nothing runs in the group any more. */
  close(): void
}

/** A folder where groups can be created, and the file that names the group of this process. */
interface CgroupPaths {
  root: string
  own: string
}

const usual: CgroupPaths = { root: '/sys/fs/cgroup', own: '/proc/self/cgroup' }

/**
 * Groups inside the given folder, or inside the group of this process, if that is delegated to it: by
 * `Delegate=yes` of systemd, or in a container that may write to its groups. Undefined if there is no such group.
 */
export function findControlGroups(named: string | undefined, paths = usual) {
  const folder = named ?? ownGroup(paths)
  if (folder === undefined || !isGivenOver(folder)) return undefined
  let last = 0
  return {
    /** A group with its own limits; undefined if none can be created any more. */
    open(limits: SandboxLimits): Group | undefined {
      last += 1
      return openGroup(join(folder, `winnow-${process.pid}-${last}`), limits)
    },
  }
}

function ownGroup({ root, own }: CgroupPaths): string | undefined {
  const path = /^0::(\/.*)$/m.exec(textOf(own))?.[1]
  return path === undefined ? undefined : join(root, path)
}

/** A group that contains processes cannot limit subgroups, so this process moves into a sibling of the groups that it creates. */
function isGivenOver(folder: string): boolean {
  const has = (file: string, word: string) => textOf(join(folder, file)).split(/\s+/).includes(word)
  if (!has('cgroup.controllers', 'memory')) return false
  try {
    if (has('cgroup.procs', String(process.pid))) moveAside(folder)
    if (!has('cgroup.subtree_control', 'memory')) write(folder, 'cgroup.subtree_control', '+memory +pids')
    return true
  } catch {
    // It is not writable, or other processes are in it.
    return false
  }
}

function moveAside(folder: string): void {
  const others = textOf(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number)
  if (others.some((pid) => pid !== process.pid)) throw new Error('The group is shared with others.')
  const aside = join(folder, 'winnow-service')
  mkdirSync(aside, { recursive: true })
  write(aside, 'cgroup.procs', String(process.pid))
}

function openGroup(folder: string, limits: SandboxLimits): Group | undefined {
  // Files are in memory too, in two folders of that size.
  const bytes = (limits.megabytes + 2 * limits.filesMegabytes) * 1024 * 1024
  try {
    mkdirSync(folder)
    write(folder, 'memory.max', String(bytes))
    write(folder, 'memory.oom.group', '1')
    if (existsSync(join(folder, 'memory.swap.max'))) write(folder, 'memory.swap.max', '0')
  } catch {
    remove(folder)
    return undefined
  }
  return {
    join: (pid) => write(folder, 'cgroup.procs', String(pid)),
    isOverMemory: () => /^oom_(group_)?kill [1-9]/m.test(textOf(join(folder, 'memory.events'))),
    close: () => remove(folder),
  }
}

const write = (folder: string, file: string, text: string) => writeFileSync(join(folder, file), text)

function remove(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Empty groups cost next to nothing.
  }
}

import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../child/processes.ts'
import type { SandboxLimits } from '../ports/sandbox.ts'

/** Control group of the kernel (cgroup v2), which counts all memory of its processes, including kernel memory. */
export interface Group {
  join(pid: number): void
  isOverMemory(): boolean
  close(): void
}

const defaultPaths = { root: '/sys/fs/cgroup', own: '/proc/self/cgroup' }

/** Uses the given folder, or the group of this process if it is delegated: by systemd or to a container. */
export function findControlGroups(configured: string | undefined, paths = defaultPaths) {
  const folder = configured ?? findOwnGroup(paths)
  if (folder === undefined || !isDelegated(folder)) return undefined
  let lastId = 0
  return {
    open(limits: SandboxLimits): Group | undefined {
      lastId += 1
      return openGroup(join(folder, `winnow-${process.pid}-${lastId}`), limits)
    },
  }
}

function findOwnGroup({ root, own }: typeof defaultPaths): string | undefined {
  const path = /^0::(\/.*)$/m.exec(textOf(own))?.[1]
  return path === undefined ? undefined : join(root, path)
}

/** A group that contains processes cannot limit subgroups, so this process moves to a sibling of its groups. */
function isDelegated(folder: string): boolean {
  const has = (file: string, value: string) => textOf(join(folder, file)).split(/\s+/).includes(value)
  if (!has('cgroup.controllers', 'memory')) return false
  try {
    if (has('cgroup.procs', String(process.pid))) moveToSubgroup(folder)
    if (!has('cgroup.subtree_control', 'memory')) write(folder, 'cgroup.subtree_control', '+memory +pids')
    return true
  } catch {
    // The folder is not writable, or other processes are in it.
    return false
  }
}

function moveToSubgroup(folder: string): void {
  const pids = textOf(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number)
  if (pids.some((pid) => pid !== process.pid)) throw new Error('The group is shared with others.')
  const subgroup = join(folder, 'winnow-service')
  mkdirSync(subgroup, { recursive: true })
  write(subgroup, 'cgroup.procs', String(process.pid))
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
    // The error is ignored, because an empty group takes almost no resources.
  }
}

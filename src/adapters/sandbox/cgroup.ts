import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxLimits } from '../../ports/sandbox.ts'

/** Groups of the kernel (cgroup v2), which count all memory, whoever it was taken for. */
export interface Groups {
  /** A group with limits of its own; undefined where one cannot be made any more. */
  open(limits: SandboxLimits): Group | undefined
}

export interface Group {
  /** From now on, the process and all it starts are counted here. */
  join(pid: number): void
  /** Whether the kernel has ended it for its memory. */
  isOverMemory(): boolean
  /** When nothing runs in it any more. */
  close(): void
}

/** A folder where groups can be made, and the file that says which group this process is in. */
export interface GroupPlaces {
  root: string
  own: string
}

const usual: GroupPlaces = { root: '/sys/fs/cgroup', own: '/proc/self/cgroup' }

/**
 * Groups inside the folder that is named, or inside the group of this process, where that is given over to it: by
 * `Delegate=yes` of systemd, or in a container that may write to its groups. Undefined where there is none.
 */
export function findGroups(named: string | undefined, places = usual): Groups | undefined {
  const folder = named ?? ownGroup(places)
  if (folder === undefined || !isGivenOver(folder)) return undefined
  let last = 0
  return {
    open(limits) {
      last += 1
      return openGroup(join(folder, `winnow-${process.pid}-${last}`), limits)
    },
  }
}

function ownGroup({ root, own }: GroupPlaces): string | undefined {
  const path = /^0::(\/.*)$/m.exec(textOf(own))?.[1]
  return path === undefined ? undefined : join(root, path)
}

/** A group with processes of its own passes no limits on, so this one moves into a group beside those it makes. */
function isGivenOver(folder: string): boolean {
  const has = (file: string, word: string) => textOf(join(folder, file)).split(/\s+/).includes(word)
  if (!has('cgroup.controllers', 'memory')) return false
  try {
    if (has('cgroup.procs', String(process.pid))) moveAside(folder)
    if (!has('cgroup.subtree_control', 'memory')) write(folder, 'cgroup.subtree_control', '+memory +pids')
    return true
  } catch {
    // Not ours to write to, or others live in it.
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
  // Files live in memory too, in two folders of that size.
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

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

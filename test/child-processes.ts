import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the running processes that a process has started and whose command line contains a text. */
export function childrenOf(parent: number, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === parent && read(`/proc/${pid}/cmdline`).includes(text))
    .map(Number)
}

/** Undefined for a process that has ended and one that waits for its exit status to be read. */
function parentOf(pid: string): number | undefined {
  // The name of the program is in parentheses and may contain spaces.
  const [state, parent] = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return state === 'Z' ? undefined : Number(parent)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

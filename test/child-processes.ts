import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of running child processes whose command line contains a text. */
export function childrenOf(parent: number, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === parent && read(`/proc/${pid}/cmdline`).includes(text))
    .map(Number)
}

/** Returns undefined for a process that has ended and for a zombie. */
function parentOf(pid: string): number | undefined {
  // The program name is in parentheses and may contain spaces.
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

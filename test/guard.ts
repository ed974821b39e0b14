import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let guardian: ChildProcess | undefined

/** Tells the guardian of this process what has to go when this process does; it is started with the first line. */
export function tellGuardian(
  what: 'start' | 'end' | 'make' | 'remove',
  name: string | number | undefined,
): void {
  if (name === undefined) return
  guardian ??= startGuardian()
  guardian.stdin?.write(`${what} ${name}\n`)
}

function startGuardian(): ChildProcess {
  const program = fileURLToPath(new URL('./guardian.ts', import.meta.url))
  // Detached: a signal to our whole process group must not take the guardian before it has cleared up.
  const started = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  started.unref()
  // A pipe is a socket in Node, and this one must not keep us alive.
  if (started.stdin && 'unref' in started.stdin) (started.stdin as unknown as { unref(): void }).unref()
  started.stdin?.on('error', () => {})
  return started
}

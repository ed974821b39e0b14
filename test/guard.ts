import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let guardian: ChildProcess | undefined

/**
 * Registers a process or folder with the guardian of this process, which cleans it up when this process ends. The
 * first call starts the guardian.
 */
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
  // Detached, so that a signal to this process group does not end the guardian before it has cleaned up.
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  // A pipe is a socket in Node. Unreference it, so that it does not keep this process alive.
  if (child.stdin && 'unref' in child.stdin) (child.stdin as unknown as { unref(): void }).unref()
  child.stdin?.on('error', () => {})
  return child
}

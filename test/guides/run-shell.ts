import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface ShellDeps {
  folder: string
  environment: Record<string, string>
}

/**
 * Runs a command as a user types it, with files of the examples in the folder, and values of earlier responses in
 * variables.
 */
export async function runShell(code: string, { folder, environment }: ShellDeps): Promise<Ran> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { teamKey } from './api.ts'
import { tellGuardian } from './guard.ts'

export const program = fileURLToPath(new URL('../client/bin/winnow.mjs', import.meta.url))

export interface CliOptions {
  /** Environment variables in addition to the URL and the key of the team; undefined removes a variable. */
  environment?: Record<string, string | undefined>
  input?: string | Uint8Array
  folder?: string
}

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `winnow` as a separate process to its end, against the deployment under test. */
export async function winnow(args: string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: cliEnvironment(options.environment),
    cwd: options.folder ?? tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  tellGuardian('start', child.pid)
  child.once('exit', () => tellGuardian('end', child.pid))
  const ended: CliResult = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (part) => (ended.stdout += part))
  child.stderr.on('data', (part) => (ended.stderr += part))
  // A command that needs no input may end before the input is written.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [code] = await once(child, 'close')
  return { ...ended, code }
}

export function cliEnvironment(changes: Record<string, string | undefined> = {}): Record<string, string> {
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: tmpdir(),
    WINNOW_URL: serviceUrl(),
    WINNOW_API_KEY: teamKey(),
    ...changes,
  }
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

export const serviceUrl = () => inject('deployment').urls[0] ?? ''

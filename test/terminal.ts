import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { cliEnvironment, program } from './cli.ts'
import { tellGuardian } from './guard.ts'

export interface TerminalRun {
  /** Everything that the terminal was sent so far. */
  shown(): string
  waitFor(text: string | RegExp): Promise<void>
  /** Keys, as somebody would press them: Ctrl-C is \u0003. */
  press(keys: string): void
  /** Closes the terminal, as the end of its window or of a connection does. */
  hangUp(): void
  ended: Promise<number | null>
}

/** `winnow` in a terminal. */
export function winnowInTerminal(args: string[], environment: Record<string, string> = {}): TerminalRun {
  return runInTerminal([process.execPath, program, ...args], cliEnvironment(environment))
}

/** A program in a pseudo terminal of 100 columns, which `script` of util-linux makes. */
export function runInTerminal(program: string[], environment: NodeJS.ProcessEnv): TerminalRun {
  const words = program.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const command = `stty cols 100 rows 30; exec ${words.join(' ')}`
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...environment },
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  tellGuardian('start', child.pid)
  child.once('exit', () => tellGuardian('end', child.pid))
  let shown = ''
  child.stdout.on('data', (part) => (shown += part))
  child.stderr.on('data', (part) => (shown += part))
  return {
    shown: () => shown,
    waitFor: (text) => expect.poll(() => shown, { timeout: 40_000, interval: 50 }).toMatch(text),
    press: (keys) => child.stdin.write(keys),
    hangUp: () => void child.kill('SIGKILL'),
    ended: once(child, 'close').then(([code]) => code),
  }
}

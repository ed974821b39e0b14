import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { cliEnvironment, program } from './cli.ts'
import { tellGuardian } from './guard.ts'

export interface TerminalRun {
  /** Returns everything that the program wrote to the terminal so far. */
  shown(): string
  waitFor(text: string | RegExp): Promise<void>
  /** Sends keys as a user presses them: Ctrl-C is \u0003. */
  press(keys: string): void
  /** Closes the terminal, like the end of its window or of its connection. */
  hangUp(): void
  ended: Promise<number | null>
}

/** Runs `winnow` in a terminal. */
export function winnowInTerminal(args: string[], environment: Record<string, string> = {}): TerminalRun {
  return runInTerminal([process.execPath, program, ...args], cliEnvironment(environment))
}

/** Runs a program in a pseudo terminal of 100 columns, which `script` of util-linux creates. */
export function runInTerminal(program: string[], environment: NodeJS.ProcessEnv): TerminalRun {
  const quotedArgs = program.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`)
  const command = `stty cols 100 rows 30; exec ${quotedArgs.join(' ')}`
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...environment },
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  tellGuardian('start', child.pid)
  child.once('exit', () => tellGuardian('end', child.pid))
  let output = ''
  child.stdout.on('data', (part) => (output += part))
  child.stderr.on('data', (part) => (output += part))
  return {
    shown: () => output,
    waitFor: (text) => expect.poll(() => output, { timeout: 40_000, interval: 50 }).toMatch(text),
    press: (keys) => child.stdin.write(keys),
    hangUp: () => void child.kill('SIGKILL'),
    ended: once(child, 'close').then(([code]) => code),
  }
}

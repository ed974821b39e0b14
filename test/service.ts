import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCacheEnvironment } from '../src/platform/compile-cache.ts'
import { cacheAdEngine, restoreAdEngine } from './ad-engine.ts'
import { tellGuardian } from './guard.ts'

export interface RunningService {
  url: string
  process: ChildProcess
  /** Returns everything that the service has printed so far. */
  output(): string
  /** Stops the service and returns its exit code. */
  stop(): Promise<number | null>
  /** Kills the service, like an out-of-memory kill or a power failure. */
  kill(): Promise<void>
  /**
   * True only in tests that block the main thread on purpose. In all other tests, stopping the service throws if the
   * thread was blocked.
   */
  mayBlockMainThread: boolean
}

// The setup script runs on any Node and has no types. It exports the options that `npm start` passes.
const setupScript = '../prepare/commands.mjs'
const { heap, allocator }: { heap: string[]; allocator: Record<string, string> } = await import(setupScript)

/** Program that `npm start` runs. The setup passes the path of its bundle; without it, the sources are used. */
export const main = process.env.SERVICE_PROGRAM ?? fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts a complete service in a separate process, on a free port, without the environment of this machine. */
export async function startService(
  environment: Record<string, string>,
  program = main,
): Promise<RunningService> {
  const { DATA_DIR: dataDir = '' } = environment
  restoreAdEngine(dataDir)
  // The same arguments as in `npm start`.
  const child = spawn(process.execPath, [...heap, program], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      CHECK_RESPONSES: 'on',
      LOG_FORMAT: 'json',
      ...allocator,
      ...compileCacheEnvironment(),
      ...environment,
    },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  tellGuardian('start', child.pid)
  child.once('exit', () => {
    tellGuardian('end', child.pid)
    cacheAdEngine(dataDir)
  })
  let output = ''
  const listening = Promise.withResolvers<string>()
  const listen = (part: Buffer) => {
    output += part.toString()
    const url = /listens on (\S+)/.exec(output)?.[1]
    if (url) listening.resolve(url)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  child.once('exit', (code) => listening.reject(new Error(`The service ended with ${code}:\n${output}`)))
  const url = await listening.promise
  const service: RunningService = {
    mayBlockMainThread: false,
    url,
    process: child,
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      assertNeverBlocked(service)
      return child.exitCode
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      assertNeverBlocked(service)
    },
  }
  return service
}

/** Throws if the service reported that a task of its main thread used more than a second of CPU time. */
function assertNeverBlocked({ mayBlockMainThread, output }: RunningService): void {
  const report = output()
    .split('\n')
    .find((line) => line.includes('EVENT_LOOP_BLOCKED'))
  if (report !== undefined && !mayBlockMainThread) throw new Error(`The main thread was blocked: ${report}`)
}

/** Runs a command of the service (`key`, `doctor` …) to its end. */
export async function runCommand(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? '', ...compileCacheEnvironment(), ...environment },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const [code] = await once(child, 'exit')
  return { code: code as number | null, stdout, stderr }
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'winnow-test-'))
  tellGuardian('make', path)
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true })
      tellGuardian('remove', path)
    },
  }
}

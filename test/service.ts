import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCacheEnvironment } from '../src/platform/compile-cache.ts'
import { keepAdEngine, lendAdEngine } from './ad-engine.ts'
import { tellGuardian } from './guard.ts'

export interface RunningService {
  url: string
  process: ChildProcess
  /** Everything it has printed so far. */
  output(): string
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>
  /** As an out-of-memory kill or a power cut would end it. */
  kill(): Promise<void>
  /** True only in tests that block the main thread on purpose: for all others, its end fails if the thread was blocked. */
  mayBlockMainThread: boolean
}

// Preparation runs on any Node and has no types; this is what `npm start` passes.
const preparation = '../prepare/commands.mjs'
const { heap, allocator }: { heap: string[]; allocator: Record<string, string> } = await import(preparation)

/** What `npm start` runs: preparation passes the bundle that it made; a run by hand takes the sources. */
export const main = process.env.SERVICE_PROGRAM ?? fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** A whole service in a process of its own, on a free port, with nothing of this machine's environment. */
export async function startService(
  environment: Record<string, string>,
  program = main,
): Promise<RunningService> {
  const { DATA_DIR: dataDir = '' } = environment
  lendAdEngine(dataDir)
  // As `npm start` starts it.
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
    keepAdEngine(dataDir)
  })
  let output = ''
  const heard = Promise.withResolvers<string>()
  const listen = (part: Buffer) => {
    output += part.toString()
    const url = /listens on (\S+)/.exec(output)?.[1]
    if (url) heard.resolve(url)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  child.once('exit', (code) => heard.reject(new Error(`The service ended with ${code}:\n${output}`)))
  const url = await heard.promise
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

/** The service reports a turn of its main thread that used more than a second of processor time. */
function assertNeverBlocked({ mayBlockMainThread, output }: RunningService): void {
  const report = output()
    .split('\n')
    .find((line) => line.includes('EVENT_LOOP_BLOCKED'))
  if (report !== undefined && !mayBlockMainThread) throw new Error(`The main thread was blocked: ${report}`)
}

/** A command of the service (`key`, `doctor` …) run to its end. */
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

/** Separate program, started by `guarded-server.ts`: runs one server as long as standard input is open. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, KeeperTask } from './guarded-server.ts'

const killDelayMs = 5_000

// The only caller writes this argument with JSON.stringify from an KeeperTask.
const order = JSON.parse(process.argv[2] ?? '') as KeeperTask
const logPath = join(order.folder, 'log')
let isStopping = false
/** Pause before the next start; undefined if the keeper ends with its server. */
let pause: number | undefined
let current: ChildProcess | undefined

process.stdin.resume().on('end', stop).on('error', stop)
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  // The only kind of input: the server must end, and start again after this many milliseconds.
  pause = Number(text)
  current?.kill(order.stopSignal)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// The reader of these pipes may have died, and this program exists for that case.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  await runAll()
} catch (error) {
  process.stderr.write(String(error))
}
await rm(order.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
process.stdin.destroy()

async function runAll() {
  for (const command of order.before) {
    const status = await run(command)
    if (isStopping) return
    if (status !== 0) return report()
  }
  do {
    if (pause !== undefined) await sleep(pause)
    pause = undefined
    if (!isStopping) await run(order.server, (pid) => process.stdout.write(`${pid}\n`))
  } while (pause !== undefined && !isStopping)
  if (!isStopping) report()
}

async function run(command: Command, onStart?: (pid: number | undefined) => void) {
  const log = openSync(logPath, 'a')
  const { program, arguments: parameters, ...user } = command
  const child = spawn(program, parameters, {
    ...user,
    cwd: order.folder,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, TZ: process.env.TZ },
  })
  current = child
  onStart?.(child.pid)
  const [status] = await once(child, 'exit')
  current = undefined
  return status
}

function report() {
  process.exitCode = 1
  process.stderr.write(readFileSync(logPath, 'utf8').slice(-8000))
}

function stop() {
  if (isStopping) return
  isStopping = true
  current?.kill(order.stopSignal)
  setTimeout(() => current?.kill('SIGKILL'), killDelayMs).unref()
}

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Server, type Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { childrenOf, processExists, residentMegabytes, textOf } from '../child/processes.ts'
import { AppError } from '../errors.ts'
import { listener } from '../functions.ts'
import type {
  Exceeded,
  Sandbox,
  SandboxEnd,
  SandboxedProcess,
  SandboxedProgram,
  SandboxPort,
} from '../ports/sandbox.ts'
import { createTokenBucket } from '../token-bucket.ts'
import { type Identity, type SandboxPaths, sandboxArguments, serviceFiles } from './arguments.ts'
import { findControlGroups, type Group } from './cgroup.ts'
import { seccompFilter } from './seccomp.ts'
import { createLimitsWatcher, type LimitsWatcher } from './watch.ts'

export function createBubblewrapSandbox(path: string, paths: SandboxPaths): Sandbox {
  const identities = createIdentities()
  const watcher = createLimitsWatcher()
  const groups = findControlGroups(paths.groups)
  const files = serviceFiles.map(({ from }) => readFileSync(from))
  return {
    async start(program) {
      const filter = seccompFilter(process.arch, program)
      if (!filter) throw notConfigured(`no system call filter is available for ${process.arch}`)
      const descriptors = descriptorsFor(program)
      const identity = identities()
      const { shown, hidden } = sandboxArguments(program, { paths, identity, descriptors })
      const child = spawn(path, shown, {
        // Empty, because bubblewrap is the first process inside, so the others can read its environment.
        env: {},
        stdio: ['ignore', 'pipe', 'pipe', ...pipes(program.channels), 'ipc', ...pipes(2 + files.length)],
      })
      const inputContents = [filter, `${hidden.join('\0')}\0`, ...files]
      const group = groups?.open(program.limits)
      // Bubblewrap waits for its options, so it is in its group before it starts any process.
      if (child.pid !== undefined) group?.join(child.pid)
      return await connectProcess(child, program, { inputContents, watcher, group })
    },
  }
}

const pipes = (count: number) => Array<'pipe'>(count).fill('pipe')

function descriptorsFor({ channels }: SandboxedProgram) {
  const ipc = 3 + channels
  const files = serviceFiles.map((_, index) => ipc + 3 + index)
  const next = ipc + 3 + files.length
  return { ipc, seccomp: ipc + 1, options: ipc + 2, files, mounts: next, root: next + 1 }
}

interface StartDeps {
  inputContents: (Buffer | string)[]
  watcher: LimitsWatcher
  group: Group | undefined
}

async function connectProcess(
  child: ChildProcess,
  program: SandboxedProgram,
  { inputContents, watcher, group }: StartDeps,
): Promise<SandboxedProcess> {
  // The streams exist, because `stdio` above requests pipes.
  const stdout = child.stdout as Readable
  const stderr = child.stderr as Readable
  const channels = child.stdio.slice(3, 3 + program.channels) as Duplex[]
  const inputs = child.stdio.slice(4 + program.channels) as Writable[]
  // A program that ends during a write must not end the service.
  for (const stream of [stdout, stderr, ...channels, ...inputs]) stream.on('error', () => {})
  for (const [index, bytes] of inputContents.entries()) inputs[index]?.end(bytes)
  let exceeded: Exceeded | undefined
  const onExceeded = (limit: Exceeded) => {
    exceeded ??= limit
    endProcess(child)
  }
  const servers: Server[] = []
  const ended = new Promise<SandboxEnd>((resolve) => {
    const settle = (exitCode: number | null) => {
      if (group?.isOverMemory()) exceeded ??= { limit: 'memory', max: program.limits.megabytes }
      group?.close()
      resolve({ exitCode, ...(exceeded ? { exceeded } : {}) })
    }
    child.once('error', () => settle(null))
    child.once('exit', settle)
  }).finally(() => {
    for (const server of servers) server.close()
  })
  const running: SandboxedProcess = {
    ...{ stdout, stderr, channels, ended },
    residentMegabytes: () => residentMegabytes(child.pid),
    async kill() {
      endProcess(child)
      await ended
    },
  }
  await receivePorts(child, program, { servers, ended, onExceeded })
  const { megabytes, files } = program.limits
  ended.finally(watcher.watch({ pid: child.pid ?? 0, megabytes, files }, onExceeded))
  return running
}

const maxStartMs = 30_000
const maxErrorOutputMs = 2000

interface PortDeps {
  servers: Server[]
  ended: Promise<SandboxEnd>
  onExceeded(exceeded: Exceeded): void
}

async function receivePorts(
  child: ChildProcess,
  { ports }: SandboxedProgram,
  { servers, ended, onExceeded }: PortDeps,
): Promise<void> {
  let errorOutput = ''
  const onErrorOutput = listener(
    (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-1000)
    },
    () => endProcess(child),
  )
  child.stderr?.on('data', onErrorOutput)
  child.once('error', (cause) => {
    errorOutput = cause.message
  })
  const opened = new Promise<void>((resolve) => {
    if (ports.length === 0) resolve()
    const onServer = (message: unknown, server: unknown) => {
      const sandboxPort = ports.find(({ port }) => port === portIn(message))
      if (!sandboxPort || !(server instanceof Server)) return
      serve(server, sandboxPort, onExceeded)
      servers.push(server)
      if (servers.length === ports.length) resolve()
    }
    const onMessage = listener(onServer, () => endProcess(child))
    child.on('message', onMessage)
  })
  const timer = setTimeout(() => endProcess(child), maxStartMs)
  const isOpen = await Promise.race([opened.then(() => true), ended.then(() => false)])
  clearTimeout(timer)
  // The last error output may arrive after the process has ended.
  if (!isOpen && child.stderr)
    await finished(child.stderr, { signal: AbortSignal.timeout(maxErrorOutputMs) }).catch(() => {})
  child.stderr?.off('data', onErrorOutput)
  // From now on, programs inside cannot send messages to this process.
  if (child.connected) child.disconnect()
  if (!isOpen) throw notConfigured(errorOutput.trim())
}

/** Maximum rate of connection attempts of one sandbox. A rejected connection costs little, so the rate is high. */
const attemptLimits = { perSecond: 500, burst: 5000 }

function serve(server: Server, port: SandboxPort, onExceeded: PortDeps['onExceeded']): void {
  const attemptsLeft = createTokenBucket(attemptLimits)
  const countAttempt = () => {
    if (attemptsLeft.take(1) < 0) onExceeded({ limit: 'connections', max: port.maxConnections })
  }
  server.maxConnections = port.maxConnections
  server.on('drop', countAttempt)
  const onConnected = (socket: Socket) => {
    countAttempt()
    socket.on('error', () => {})
    port.onConnection(socket)
  }
  const onConnection = listener(onConnected, (_, socket) => socket.destroy())
  server.on('connection', onConnection)
  // Exceeding a limit of the system, such as the number of file handles, must not end the service.
  server.on('error', () => {})
}

function portIn(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'port' in message ? message.port : undefined
}

/** Kills the first process inside, with which all others end. If only its parent ended, some could remain. */
function endProcess(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const [first] = childrenOf(child.pid)
  if (first === undefined || !processExists(first)) child.kill('SIGKILL')
  else process.kill(first, 'SIGKILL')
}

/** Process limits are counted per user, so if the service runs as root, each sandbox gets its own user. */
function createIdentities(): () => Identity {
  if (process.getuid?.() !== 0) return () => 'own-namespace'
  const firstId = findFirstUser()
  let index = 0
  return () => {
    index = (index + 1) % usersPerProcess
    return { uid: firstId + index }
  }
}

const usersPerProcess = 1000

/** Returns an id far from those of the system and of containers, or a low one if few user ids are mapped. */
function findFirstUser(): number {
  const preferred = 2_000_000_000 + (process.pid % 100_000) * usersPerProcess
  const isMapped = textOf('/proc/self/uid_map')
    .split('\n')
    .some((line) => {
      const [from = 0, , count = 0] = line.trim().split(/\s+/).map(Number)
      return from <= preferred && preferred + usersPerProcess < from + count
    })
  return isMapped ? preferred : 60_000
}

function notConfigured(reason: string): AppError {
  return new AppError('SANDBOX_NOT_CONFIGURED', { phase: 'sandbox', reason })
}

export async function probeSandbox(sandbox: Sandbox): Promise<string | undefined> {
  try {
    const running = await sandbox.start({
      command: ['true'],
      environment: { PATH: '/usr/bin:/bin' },
      readable: [],
      ports: [{ port: 9222, maxConnections: 1, onConnection: (socket) => socket.destroy() }],
      channels: 1,
      limits: { megabytes: 200, processMegabytes: 1000, threads: 64, filesMegabytes: 1, files: 100 },
      nestsSandboxes: false,
    })
    running.stderr.resume()
    const { exitCode } = await running.ended
    return exitCode === 0 ? undefined : `a test program exited with ${exitCode}`
  } catch (cause) {
    return getReason(cause)
  }
}

function getReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const reason = 'detail' in cause ? (cause.detail as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' && reason !== '' ? reason : cause.message
}

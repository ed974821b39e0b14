import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Server, type Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { childrenOf, isThere, residentMegabytes, textOf } from '../child/processes.ts'
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
import { bucket } from '../token-bucket.ts'
import { type Identity, type SandboxPaths, sandboxArguments, sandboxPath } from './arguments.ts'
import { findControlGroups, type Group } from './cgroup.ts'
import { seccompFilter } from './seccomp.ts'
import { createLimitsWatcher, type LimitsWatcher } from './watch.ts'

/** Bubblewrap: separate namespaces for each program, an empty environment, no network except the given ports. */
export function bubblewrap(path: string, paths: SandboxPaths): Sandbox {
  const identities = identitiesInTurn()
  const watcher = createLimitsWatcher()
  const groups = findControlGroups(paths.groups)
  const files = sandboxPath.map(({ from }) => readFileSync(from))
  return {
    async start(program) {
      const filter = seccompFilter(process.arch, program)
      if (!filter) throw notConfigured(`no system call filter is available for ${process.arch}`)
      const descriptors = descriptorsFor(program)
      const identity = identities()
      const { shown, hidden } = sandboxArguments(program, { paths, identity, descriptors })
      const child = spawn(path, shown, {
        // The first process inside is bubblewrap itself, and all others can read the environment it was started with.
        env: {},
        stdio: ['ignore', 'pipe', 'pipe', ...pipes(program.channels), 'ipc', ...pipes(2 + files.length)],
      })
      const handedOver = [filter, `${hidden.join('\0')}\0`, ...files]
      const group = groups?.open(program.limits)
      // It reads its options first, so it does nothing before it is in its group.
      if (child.pid !== undefined) group?.join(child.pid)
      return await began(child, program, { handedOver, watcher, group })
    },
  }
}

const pipes = (count: number) => Array<'pipe'>(count).fill('pipe')

/** In the order of `stdio`. */
function descriptorsFor({ channels }: SandboxedProgram) {
  const ipc = 3 + channels
  const files = sandboxPath.map((_, index) => ipc + 3 + index)
  const next = ipc + 3 + files.length
  return { ipc, seccomp: ipc + 1, options: ipc + 2, files, mounts: next, root: next + 1 }
}

interface StartDeps {
  handedOver: (Buffer | string)[]
  watcher: LimitsWatcher
  group: Group | undefined
}

async function began(
  child: ChildProcess,
  program: SandboxedProgram,
  { handedOver, watcher, group }: StartDeps,
): Promise<SandboxedProcess> {
  // The streams exist, because `stdio` above requests pipes.
  const stdout = child.stdout as Readable
  const stderr = child.stderr as Readable
  const channels = child.stdio.slice(3, 3 + program.channels) as Duplex[]
  const once = child.stdio.slice(4 + program.channels) as Writable[]
  // A program that ends while it is written to must not end the service.
  for (const stream of [stdout, stderr, ...channels, ...once]) stream.on('error', () => {})
  for (const [index, bytes] of handedOver.entries()) once[index]?.end(bytes)
  let exceeded: Exceeded | undefined
  const exceed = (limit: Exceeded) => {
    exceeded ??= limit
    end(child)
  }
  const servers: Server[] = []
  const ended = new Promise<SandboxEnd>((resolve) => {
    const settle = (exitCode: number | null) => {
      if (group?.isOverMemory()) exceeded ??= { limit: 'memory', most: program.limits.megabytes }
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
      end(child)
      await ended
    },
  }
  await portsOf(child, program, { servers, ended, exceed })
  const { megabytes, files } = program.limits
  ended.finally(watcher.watch({ pid: child.pid ?? 0, megabytes, files }, exceed))
  return running
}

const maxStartMs = 30_000
const maxLastWordsMs = 2000

interface PortDeps {
  servers: Server[]
  ended: Promise<SandboxEnd>
  exceed(exceeded: Exceeded): void
}

/** The ports arrive one by one, each as a listening socket of the namespace inside. */
async function portsOf(
  child: ChildProcess,
  { ports }: SandboxedProgram,
  { servers, ended, exceed }: PortDeps,
): Promise<void> {
  let complaint = ''
  const listen = listener(
    (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(-1000)
    },
    () => end(child),
  )
  child.stderr?.on('data', listen)
  child.once('error', (cause) => {
    complaint = cause.message
  })
  const opened = new Promise<void>((resolve) => {
    if (ports.length === 0) resolve()
    const take = (message: unknown, server: unknown) => {
      const wanted = ports.find(({ port }) => port === portIn(message))
      if (!wanted || !(server instanceof Server)) return
      serve(server, wanted, exceed)
      servers.push(server)
      if (servers.length === ports.length) resolve()
    }
    child.on(
      'message',
      listener(take, () => end(child)),
    )
  })
  const patience = setTimeout(() => end(child), maxStartMs)
  const isOpen = await Promise.race([opened.then(() => true), ended.then(() => false)])
  clearTimeout(patience)
  // Its last words may still be on their way when it has ended.
  if (!isOpen && child.stderr)
    await finished(child.stderr, { signal: AbortSignal.timeout(maxLastWordsMs) }).catch(() => {})
  child.stderr?.off('data', listen)
  // From now on, programs inside cannot send messages to this process.
  if (child.connected) child.disconnect()
  if (!isOpen) throw notConfigured(complaint.trim())
}

/** Of one sandbox. A refused connection costs little, so a few refused attempts do no harm. */
const attempts = { perSecond: 500, atOnce: 5000 }

function serve(server: Server, port: SandboxPort, exceed: PortDeps['exceed']): void {
  const left = bucket(attempts)
  const count = () => {
    if (left.take(1) < 0) exceed({ limit: 'connections', most: port.mostConnections })
  }
  server.maxConnections = port.mostConnections
  server.on('drop', count)
  const admit = (socket: Socket) => {
    count()
    socket.on('error', () => {})
    port.onConnection(socket)
  }
  server.on(
    'connection',
    listener(admit, (_, socket) => socket.destroy()),
  )
  // A limit of the system (no file handles left) must not end the service.
  server.on('error', () => {})
}

function portIn(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'port' in message ? message.port : undefined
}

/**
 * The first process inside ends after all others there. Ending it, and not its parent on this side, means that nothing is
 * left when the parent has seen it end.
 */
function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const [first] = childrenOf(child.pid)
  if (first === undefined || !isThere(first)) child.kill('SIGKILL')
  else process.kill(first, 'SIGKILL')
}

/** Process limits are counted per user, so every sandbox gets its own user if the service may choose. */
function identitiesInTurn(): () => Identity {
  if (process.getuid?.() !== 0) return () => 'own-namespace'
  const first = firstUser()
  let turn = 0
  return () => {
    turn = (turn + 1) % usersPerProcess
    return { uid: first + turn }
  }
}

const usersPerProcess = 1000

/** Far from the user ids of the system and of containers; in a container with few user ids, among those. */
function firstUser(): number {
  const far = 2_000_000_000 + (process.pid % 100_000) * usersPerProcess
  const isMapped = textOf('/proc/self/uid_map')
    .split('\n')
    .some((line) => {
      const [from = 0, , count = 0] = line.trim().split(/\s+/).map(Number)
      return from <= far && far + usersPerProcess < from + count
    })
  return isMapped ? far : 60_000
}

function notConfigured(reason: string): AppError {
  return new AppError('SANDBOX_NOT_CONFIGURED', { phase: 'sandbox', reason })
}

/** Tests whether the sandbox works on this machine, with everything that a real program needs; returns the reason if not. */
export async function probeSandbox(sandbox: Sandbox): Promise<string | undefined> {
  try {
    const running = await sandbox.start({
      command: ['true'],
      environment: { PATH: '/usr/bin:/bin' },
      readable: [],
      ports: [{ port: 9222, mostConnections: 1, onConnection: (socket) => socket.destroy() }],
      channels: 1,
      limits: { megabytes: 200, processMegabytes: 1000, threads: 64, filesMegabytes: 1, files: 100 },
      nestsSandboxes: false,
    })
    running.stderr.resume()
    const { exitCode } = await running.ended
    return exitCode === 0 ? undefined : `a test program exited with ${exitCode}`
  } catch (cause) {
    return reasonIn(cause)
  }
}

function reasonIn(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const reason = 'detail' in cause ? (cause.detail as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' && reason !== '' ? reason : cause.message
}

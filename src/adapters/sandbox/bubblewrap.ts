import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Server } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { AppError } from '../../base/errors.ts'
import type { Sandbox, SandboxEnd, SandboxedProcess, SandboxedProgram } from '../../ports/sandbox.ts'
import { childrenOf, family, isThere, proportionalMegabytes } from '../processes.ts'
import { type Identity, type Places, sandboxArguments } from './arguments.ts'
import { watchMemory } from './memory.ts'
import { seccompFilter } from './seccomp.ts'

/** Bubblewrap: namespaces of its own for each program, an empty environment, no network but the named ports. */
export function bubblewrap(path: string, places: Places): Sandbox {
  const identities = identitiesInTurn()
  return {
    async start(program) {
      const filter = seccompFilter(process.arch, program)
      if (!filter) throw notConfigured(`there is no filter of system calls for ${process.arch}`)
      const ipc = 3 + program.channels
      const descriptors = { ipc, seccomp: ipc + 1, options: ipc + 2 }
      const identity = identities()
      const { shown, hidden } = sandboxArguments(program, { places, identity, descriptors })
      const child = spawn(path, shown, {
        // The first process inside is bubblewrap's own, and shows to all others the environment it was started with.
        env: {},
        stdio: ['ignore', 'pipe', 'pipe', ...Array(program.channels).fill('pipe'), 'ipc', 'pipe', 'pipe'],
      })
      return await began(child, program, [filter, `${hidden.join('\0')}\0`])
    },
  }
}

async function began(
  child: ChildProcess,
  program: SandboxedProgram,
  handedOver: (Buffer | string)[],
): Promise<SandboxedProcess> {
  // The streams exist, for `stdio` above asks for pipes.
  const stdout = child.stdout as Readable
  const stderr = child.stderr as Readable
  const channels = child.stdio.slice(3, 3 + program.channels) as Duplex[]
  const once = child.stdio.slice(4 + program.channels) as Writable[]
  // A program that ends while it is written to must not end the service.
  for (const stream of [stdout, stderr, ...channels, ...once]) stream.on('error', () => {})
  for (const [index, bytes] of handedOver.entries()) once[index]?.end(bytes)
  let isOverMemory = false
  const servers: Server[] = []
  const ended = new Promise<SandboxEnd>((resolve) => {
    child.once('error', () => resolve({ exitCode: null, isOverMemory }))
    child.once('exit', (exitCode) => resolve({ exitCode, isOverMemory }))
  }).finally(() => {
    for (const server of servers) server.close()
  })
  const running: SandboxedProcess = {
    ...{ stdout, stderr, channels, ended },
    residentMegabytes: () =>
      child.pid === undefined
        ? 0
        : family(child.pid).reduce((sum, pid) => sum + proportionalMegabytes(pid), 0),
    async kill() {
      end(child)
      await ended
    },
  }
  await portsOf(child, program, { servers, ended })
  const watch = watchMemory(child.pid ?? 0, program.limits.megabytes, () => {
    isOverMemory = true
    end(child)
  })
  ended.finally(() => watch.stop())
  return running
}

const mostStartMs = 30_000

/** The ports arrive one by one, each as a listening socket of the namespace inside. */
async function portsOf(
  child: ChildProcess,
  { ports }: SandboxedProgram,
  { servers, ended }: { servers: Server[]; ended: Promise<SandboxEnd> },
): Promise<void> {
  let complaint = ''
  const listen = (part: Buffer) => {
    complaint = (complaint + part.toString()).slice(-1000)
  }
  child.stderr?.on('data', listen)
  child.once('error', (cause) => {
    complaint = cause.message
  })
  const opened = new Promise<void>((resolve) => {
    if (ports.length === 0) resolve()
    child.on('message', (message, server) => {
      const wanted = ports.find(({ port }) => port === portIn(message))
      if (!wanted || !(server instanceof Server)) return
      server.on('connection', (socket) => {
        socket.on('error', () => {})
        wanted.onConnection(socket)
      })
      // A limit of the system (no file handles left) must not end the service.
      server.on('error', () => {})
      servers.push(server)
      if (servers.length === ports.length) resolve()
    })
  })
  const patience = setTimeout(() => end(child), mostStartMs)
  const isOpen = await Promise.race([opened.then(() => true), ended.then(() => false)])
  clearTimeout(patience)
  child.stderr?.off('data', listen)
  // Whatever runs inside from now on has no way to send messages to this process.
  if (child.connected) child.disconnect()
  if (!isOpen) throw notConfigured(complaint.trim())
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

/** Limits on processes are counted per user, so where the service may choose, every sandbox has a user of its own. */
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

/** Far from the users of the system and from those that containers are given; in a container with few users, among those. */
function firstUser(): number {
  const far = 2_000_000_000 + (process.pid % 100_000) * usersPerProcess
  const ranges = existsSync('/proc/self/uid_map') ? readFileSync('/proc/self/uid_map', 'utf8') : ''
  const isMapped = ranges.split('\n').some((line) => {
    const [from = 0, , count = 0] = line.trim().split(/\s+/).map(Number)
    return from <= far && far + usersPerProcess < from + count
  })
  return isMapped ? far : 60_000
}

function notConfigured(reason: string): AppError {
  return new AppError('SANDBOX_NOT_CONFIGURED', { phase: 'sandbox', reason })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rm } from 'node:fs'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Log } from '../log.ts'
import { type PermitLimits, type PermitOwner, Permits } from '../permits.ts'
import { createTemporaryFolderSync } from '../temporary-files.ts'
import {
  type Frames,
  FrameTooLarge,
  type FromChild,
  openFrames,
  parentDescriptor,
  type ToChild,
} from './frames.ts'

interface ChildProgram {
  /** Appears in the name of the temporary folder and in log lines. */
  name: string
  script: URL
  /** Memory of one process, including native memory. */
  megabytes: number
  /** All of the environment: a program that reads untrusted input must not have the secrets of the service. */
  environment: Record<string, string>
}

interface StartedChild {
  process: ChildProcess
  socket: Socket
}

/** Memory that the runtime maps at its start, most of it never used; the limit counts it anyway. */
const runtimeMegabytes = 640
const findTool = (name: string) => [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path))
const limiter = findTool('prlimit')
const tether = findTool('setpriv')

/** Starts a process of Node with a memory limit, a low priority, its own temporary folder and a connection to this process. */
function startChild({ name, script, megabytes, environment }: ChildProgram): StartedChild {
  const heap = Math.floor(megabytes / 2)
  const node = [process.execPath, `--max-old-space-size=${heap}`, '--max-semi-space-size=4']
  // The limit counts data memory, so that it applies to native libraries as well.
  const limited = limiter
    ? [limiter, `--data=${(megabytes + runtimeMegabytes) * 1024 * 1024}`, '--core=0']
    : []
  // A process that is deep in a library would not notice that its parent was killed.
  const tied = tether ? [tether, '--pdeathsig', 'KILL'] : []
  const [program = '', ...args] = [...tied, ...limited, ...node, fileURLToPath(script)]
  // A killed process leaves its files behind, so the folder is removed after it.
  const folder = createTemporaryFolderSync(name)
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }, () => {})
  const child = spawn(program, args, {
    env: { ...environment, TMPDIR: folder },
    // A separate process group, so that programs that it starts end with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  lowerPriority(child)
  child.once('exit', remove).on('error', remove)
  // Node has made no streams if the process has no descriptors left for them.
  const socket = child.stdio?.[parentDescriptor]
  if (!(socket instanceof Socket)) {
    remove()
    throw new Error(`The ${name} process could not be started.`)
  }
  // A write to a process that has just ended fails; the exit event informs the waiting caller.
  socket.on('error', () => {})
  child.unref()
  socket.unref()
  return { process: child, socket }
}

/** Kills a process and the programs that it has started. */
function killChild({ process: child }: StartedChild): void {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Native libraries use whole cores, so the service has priority. Programs that the process starts inherit this. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, which its exit event reports.
  }
}

export interface ChildPoolOptions extends ChildProgram, Pick<PermitLimits, 'spare'> {
  /** Processes, each with one request at a time; other requests wait, fairly between teams. */
  places: number
  /** Time limit of one request, from the moment a process has it. */
  requestMs: number
  /** A process without a request ends after this time. */
  idleMs: number
  /** A process is replaced after this many requests, because libraries leak and fragment memory. */
  maxRequests: number
  maxRequestBytes: number
  maxReplyBytes: number
  /** True if a request whose caller has gone is ended by killing its process; else the process finishes it. */
  killsAborted: boolean
}

export interface ChildCall {
  who: PermitOwner
  signal: AbortSignal
  /** A message of the process about this request, before its reply; `send` sends one back. */
  onNote?(note: unknown, send: (note: unknown) => void): void
}

export interface ChildPool<Request, Reply> {
  /** Throws a {@link ChildFailure} if the process does not reply, and a {@link ChildProblem} if its script throws. */
  ask(request: Request, call: ChildCall): Promise<Reply>
  /** Kills every process; requests under way and later ones fail. */
  stop(): void
}

/** The process ended, took too long or sent too much, or the pool was stopped. */
export class ChildFailure extends Error {
  readonly reason: 'ended' | 'time' | 'size' | 'stopped'
  /** True if this was the first request of the process: it may not be able to start at all. */
  readonly isFirst: boolean
  constructor(reason: ChildFailure['reason'], message: string, isFirst = false) {
    super(message)
    this.reason = reason
    this.isFirst = isFirst
  }
}

/** The message of an error that the script of the process has thrown. */
class ChildProblem extends Error {}

/**
 * Runs native code in child processes, which may crash, hang or be killed at any moment without harm to others: a native
 * library can abort its whole process, so threads would not be enough. Every process has at most one request at a time.
 */
export function createChildPool<Request, Reply>(
  options: ChildPoolOptions,
  log: Log,
): ChildPool<Request, Reply> {
  const permits = new Permits({ ...options, count: options.places })
  const all = new Set<Child>()
  const idle: Child[] = []
  let isStopped = false
  const stopped = () => new ChildFailure('stopped', `The ${options.name} process was stopped.`)

  function takeChild(signal: AbortSignal): Child {
    signal.throwIfAborted()
    if (isStopped) throw stopped()
    const known = idle.pop()
    clearTimeout(known?.idleTimer)
    return known ?? openChild()
  }

  function openChild(): Child {
    const child = new Child(options, (failure, isBusy) => {
      all.delete(child)
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
      clearTimeout(child.idleTimer)
      if (isBusy && failure.reason !== 'stopped')
        log.warn({ process: options.name, cause: failure.message }, 'a child process was replaced')
    })
    all.add(child)
    return child
  }

  function giveBack(child: Child): void {
    if (child.isEnded) return
    if (isStopped || child.requests >= options.maxRequests) child.end(stopped())
    else {
      child.idleTimer = setTimeout(() => child.end(stopped()), options.idleMs).unref()
      idle.push(child)
    }
  }

  return {
    ask(request, { who, signal, onNote }) {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const ask = async () => {
        const child = takeChild(signal)
        const reply = child.run(request, onNote)
        const leave = () => options.killsAborted && child.end(stopped())
        // The script of the process and the caller of the pool agree on this type.
        untilAborted(reply as Promise<Reply>, signal, leave).then(resolve, reject)
        // The process keeps its permit until it has replied, even if no caller waits any more.
        await reply.catch(() => undefined)
        giveBack(child)
      }
      permits.run(who, signal, ask).catch(reject)
      return promise
    },
    stop() {
      isStopped = true
      // Callers that wait for a permit get the failure when those before them leave.
      for (const child of [...all]) child.end(stopped())
    },
  }
}

/** Settles as the work does, or rejects at the abort. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal, onAbort: () => void) {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(signal.reason)
    onAbort()
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

interface RunningRequest {
  id: number
  resolve(reply: unknown): void
  reject(cause: Error): void
  onNote: ChildCall['onNote']
  timer: NodeJS.Timeout
}

/** One process. It is ended once, by whatever comes first: its exit, a limit, or the pool. */
class Child {
  requests = 0
  isEnded = false
  idleTimer: NodeJS.Timeout | undefined
  readonly #options: ChildPoolOptions
  readonly #onEnd: (failure: ChildFailure, isBusy: boolean) => void
  readonly #started: StartedChild
  readonly #frames: Frames
  #running: RunningRequest | undefined

  constructor(options: ChildPoolOptions, onEnd: (failure: ChildFailure, isBusy: boolean) => void) {
    this.#options = options
    this.#onEnd = onEnd
    this.#started = startChild(options)
    const { process: child, socket } = this.#started
    this.#frames = openFrames(socket, {
      maxSentBytes: options.maxRequestBytes,
      maxReceivedBytes: options.maxReplyBytes,
      onValue: (value) => this.#receive(value),
      onViolation: ({ message }) => this.end(this.#failure('size', message)),
    })
    const exited = () => this.end(this.#failure('ended', `The ${options.name} process has ended.`))
    // The connection closes after the last reply was read; the exit event may come before that.
    socket.once('close', exited)
    child.once('error', exited)
  }

  run(request: unknown, onNote: ChildCall['onNote']): Promise<unknown> {
    this.requests += 1
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const { name, requestMs } = this.#options
    const late = () => this.end(this.#failure('time', `The ${name} process took more than ${requestMs} ms.`))
    const timer = setTimeout(late, requestMs)
    this.#running = { id: this.requests, resolve, reject, onNote, timer }
    this.#started.socket.ref()
    try {
      if (this.isEnded) throw this.#failure('ended', `The ${name} process has ended.`)
      this.#frames.send({ id: this.requests, request } satisfies ToChild)
    } catch (cause) {
      const { message } = cause instanceof Error ? cause : new Error(String(cause))
      this.#settle()?.reject(
        cause instanceof FrameTooLarge ? this.#failure('size', message) : (cause as Error),
      )
    }
    return promise
  }

  /** Kills the process; the running request fails. */
  end(failure: ChildFailure): void {
    if (this.isEnded) return
    this.isEnded = true
    killChild(this.#started)
    this.#onEnd(failure, this.#running !== undefined)
    this.#settle()?.reject(failure)
  }

  #receive(value: unknown): void {
    // Anything else than these forms, such as an id of an earlier request, matches no running request.
    const message = value as FromChild
    if (message?.id !== this.#running?.id) return
    if ('note' in message) this.#running?.onNote?.(message.note, (note) => this.#note(message.id, note))
    else if ('problem' in message) this.#settle()?.reject(new ChildProblem(String(message.problem)))
    else this.#settle()?.resolve(message.reply)
  }

  /** Sends a message about a request; without effect once the process has replied to that request. */
  #note(id: number, note: unknown): void {
    if (this.#running?.id === id) this.#frames.send({ id, note } satisfies ToChild)
  }

  #settle(): RunningRequest | undefined {
    const running = this.#running
    this.#running = undefined
    clearTimeout(running?.timer)
    this.#started.socket.unref()
    return running
  }

  #failure(reason: ChildFailure['reason'], message: string): ChildFailure {
    return new ChildFailure(reason, message, this.requests === 1)
  }
}

import type { Log } from '../log.ts'
import { type PermitOwner, Permits } from '../permits.ts'
import { redactedError } from '../safe-errors.ts'
import { Child, ChildFailure, type ChildProgram, type RequestOptions, untilAborted } from './child.ts'

export interface ChildPoolOptions {
  /** Children, each with one request at a time; other requests wait, fairly between teams. */
  places: number
  /** Children beyond those, for teams that have no request in progress. */
  spare: number
  /** A child without a request ends after this time. */
  idleMs: number
  /** A child is replaced after this many requests, because libraries leak and fragment memory. */
  maxRequests?: number
  /** Time after which a child is ended whose caller has gone; undefined if it may finish its request. */
  graceMs?: number
}

export interface ChildCall extends Pick<RequestOptions, 'onNote'> {
  who: PermitOwner
  signal: AbortSignal
}

export interface ChildPool<Request, Reply> {
  /** Throws a {@link ChildFailure} if the child does not reply, and the error of its script if that throws. */
  ask(request: Request, call: ChildCall & RequestOptions): Promise<Reply>
  /** Ends every child; requests in progress and later ones fail. */
  stop(): Promise<void>
}

/**
 * Runs work in threads or child processes, which may hang, crash or be killed at any moment without harm to others. Native
 * libraries run in processes: one can abort its whole process, so threads would not be enough. Every child has at most one
 * request at a time.
 */
export function createChildPool<Request, Reply>(
  program: ChildProgram,
  options: ChildPoolOptions,
  log: Log,
): ChildPool<Request, Reply> {
  const { places, spare, idleMs, maxRequests = Number.POSITIVE_INFINITY, graceMs } = options
  const permits = new Permits({ count: places, spare })
  const all = new Set<Child>()
  /** The one that was used last is used first, so that the others may end. */
  const idle: Child[] = []
  const idleTimers = new Map<Child, NodeJS.Timeout>()
  let isStopped = false

  function takeChild(signal: AbortSignal): Child {
    signal.throwIfAborted()
    if (isStopped) throw new ChildFailure('stopped', `The ${program.title} was stopped.`)
    const known = idle.pop()
    if (!known) return openChild()
    clearTimeout(idleTimers.get(known))
    return known
  }

  function openChild(): Child {
    const child = new Child(program, (failure, isBusy) => {
      all.delete(child)
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
      clearTimeout(idleTimers.get(child))
      idleTimers.delete(child)
      if (!isBusy || failure.reason === 'stopped') return
      const { message, cause } = failure
      log.warn(
        { failure: message, ...(cause !== undefined && { cause: redactedError(cause) }) },
        'a child was replaced',
      )
    })
    all.add(child)
    return child
  }

  function giveBack(child: Child): void {
    if (child.ended) return
    if (isStopped || child.requests >= maxRequests) return void child.end('stopped')
    idleTimers.set(child, setTimeout(() => child.end('stopped'), idleMs).unref())
    idle.push(child)
  }

  return {
    ask(request, { who, signal, ...call }) {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const ask = async () => {
        const child = takeChild(signal)
        const reply = child.request(request, call)
        let graceTimer: NodeJS.Timeout | undefined
        const leave = () => {
          if (graceMs === 0) void child.end('stopped')
          else if (graceMs !== undefined) graceTimer = setTimeout(() => child.end('stopped'), graceMs).unref()
        }
        // The script of the child and the caller of the pool agree on this type.
        untilAborted(reply as Promise<Reply>, signal, leave).then(resolve, reject)
        // The child keeps its permit until it has replied or is gone, even if no caller waits any more.
        await reply.catch(() => child.ended)
        clearTimeout(graceTimer)
        giveBack(child)
      }
      permits.run(who, signal, ask).catch(reject)
      return promise
    },
    async stop() {
      isStopped = true
      // Callers that wait for a permit get the failure when those before them leave.
      await Promise.all([...all].map((child) => child.end('stopped')))
    },
  }
}

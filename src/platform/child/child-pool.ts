import { untilAborted } from '../functions.ts'
import type { Log } from '../log.ts'
import { type PermitOwner, Permits } from '../permits.ts'
import { redactedError } from '../safe-errors.ts'
import { Child, ChildError, type ChildProgram, type RequestOptions } from './child.ts'

export interface ChildPoolOptions {
  /** Each child has one request at a time. Other requests wait, fairly between teams. */
  maxChildren: number
  /** Additional children for teams that have no request in progress. */
  spare: number
  idleMs: number
  /** Requests after which a child is replaced, because libraries leak and fragment memory. */
  maxRequests?: number
  /** Milliseconds between an abort and the end of the child; undefined if it may finish its request. */
  graceMs?: number
}

export interface ChildCall extends Pick<RequestOptions, 'onNote'> {
  who: PermitOwner
  signal: AbortSignal
}

export interface ChildPool<Request, Reply> {
  ask(request: Request, call: ChildCall & RequestOptions): Promise<Reply>
  stop(): Promise<void>
}

/** Children may hang, crash or be killed without affecting others. A native library can abort its entire process. */
export function createChildPool<Request, Reply>(
  program: ChildProgram,
  options: ChildPoolOptions,
  log: Log,
): ChildPool<Request, Reply> {
  const { maxChildren, spare, idleMs, maxRequests = Number.POSITIVE_INFINITY, graceMs } = options
  const permits = new Permits({ count: maxChildren, spare })
  const children = new Set<Child>()
  /** The most recently used child is taken first, so that the other children can end. */
  const idle: Child[] = []
  const idleTimers = new Map<Child, NodeJS.Timeout>()
  let isStopped = false

  function takeChild(signal: AbortSignal): Child {
    signal.throwIfAborted()
    if (isStopped) throw new ChildError('stopped', `The ${program.title} was stopped.`)
    const idleChild = idle.pop()
    if (!idleChild) return openChild()
    clearTimeout(idleTimers.get(idleChild))
    return idleChild
  }

  function openChild(): Child {
    const child = new Child(program, (failure, isBusy) => {
      children.delete(child)
      const index = idle.indexOf(child)
      if (index >= 0) idle.splice(index, 1)
      clearTimeout(idleTimers.get(child))
      idleTimers.delete(child)
      if (!isBusy || failure.reason === 'stopped') return
      const cause = failure.cause === undefined ? {} : { cause: redactedError(failure.cause) }
      log.warn({ failure: failure.message, ...cause }, 'a child was replaced')
    })
    children.add(child)
    return child
  }

  function releaseChild(child: Child): void {
    if (child.ended) return
    if (isStopped || child.requests >= maxRequests) return void child.end('stopped')
    idleTimers.set(child, setTimeout(() => child.end('stopped'), idleMs).unref())
    idle.push(child)
  }

  return {
    ask(request, { who, signal, ...requestOptions }) {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const runRequest = async () => {
        const child = takeChild(signal)
        const reply = child.request(request, requestOptions)
        let graceTimer: NodeJS.Timeout | undefined
        const onAbort = () => {
          if (graceMs === 0) void child.end('stopped')
          else if (graceMs !== undefined) graceTimer = setTimeout(() => child.end('stopped'), graceMs).unref()
        }
        // The script of the child and the caller of the pool agree on this type.
        untilAborted(reply as Promise<Reply>, signal, onAbort).then(resolve, reject)
        // The child keeps its permit until it has replied or ended, even if no caller waits any more.
        await reply.catch(() => child.ended)
        clearTimeout(graceTimer)
        releaseChild(child)
      }
      permits.run(who, signal, runRequest).catch(reject)
      return promise
    },
    async stop() {
      isStopped = true
      // Callers that wait for a permit are rejected when the requests before them have ended.
      await Promise.all([...children].map((child) => child.end('stopped')))
    },
  }
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { connectChecked, type Guard } from '../guard.ts'
import { unreachableError } from './refusal.ts'
import type { EgressLimits, Sockets } from './sockets.ts'
import type { Target } from './target.ts'

/** Connector to targets: directly, or through a proxy of the operator. It rejects targets that the guard rejects. */
export interface Dialer {
  /** Opens a connection whose other end is the target. */
  tunnel(target: Target, signal: AbortSignal): Promise<Socket>
  /** Opens a connection that accepts plain HTTP requests for the target. */
  plain(target: Target, signal: AbortSignal): Promise<Socket>
  /**
   * Headers for the proxy at the other end of `plain`, as alternating names and values; undefined without a proxy. The
   * proxy also requires absolute URLs.
   */
  proxyHeaders?: string[]
}

export interface DialerDeps {
  guard: Guard
  log: Log
  sockets: Sockets
  limits: EgressLimits
}

export function directDialer(deps: DialerDeps): Dialer {
  const connectTo = (target: Target, signal: AbortSignal) =>
    connectChecked(deps.guard, target, (host) => dial({ ...target, host }, deps, signal))
  return { tunnel: connectTo, plain: connectTo }
}

/** Opens one connection without checking the target. */
export async function dial({ host, port }: Target, deps: DialerDeps, signal: AbortSignal): Promise<Socket> {
  if (signal.aborted) throw unreachableError(signal.reason)
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true })
  if (!deps.sockets.admit(socket, 'outgoing')) {
    throw new AppError('INTERNAL', {}, { message: 'Too many connections are open.' })
  }
  const step = (stepSignal: AbortSignal) => once(socket, 'connect', { signal: stepSignal })
  await completeOrDestroy(socket, step, { maxMs: deps.limits.dial, signal })
  return socket
}

/** Waits for a setup step of a socket. Destroys the socket if the step fails or takes too long. */
export async function completeOrDestroy(
  socket: Socket,
  step: (stepSignal: AbortSignal) => Promise<unknown>,
  { maxMs, signal }: { maxMs: number; signal: AbortSignal },
): Promise<void> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new DOMException('Too slow', 'TimeoutError')), maxMs)
  try {
    await step(AbortSignal.any([signal, timeout.signal]))
  } catch (thrown) {
    socket.destroy()
    throw unreachableError(timeout.signal.aborted ? timeout.signal.reason : thrown)
  } finally {
    clearTimeout(timer)
  }
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { connectChecked, type Guard } from '../guard.ts'
import { unreachable } from './refusal.ts'
import type { EgressLimits, Sockets } from './sockets.ts'
import type { Target } from './target.ts'

/** How to reach targets: directly, or through a proxy of the operator. Both refuse what the guard refuses. */
export interface Dialer {
  /** A connection whose other end is the target. */
  tunnel(target: Target, signal: AbortSignal): Promise<Socket>
  /** A connection that takes plain HTTP requests for the target. */
  plain(target: Target, signal: AbortSignal): Promise<Socket>
  /** Present if the other end of `plain` is a proxy: it needs absolute URLs and these headers, names and values alternating. */
  proxyHeaders?: string[]
}

export interface DialerDeps {
  guard: Guard
  log: Log
  sockets: Sockets
  limits: EgressLimits
}

export function directDialer(deps: DialerDeps): Dialer {
  const reach = (target: Target, signal: AbortSignal) =>
    connectChecked(deps.guard, target, (host) => dial({ ...target, host }, deps, signal))
  return { tunnel: reach, plain: reach }
}

/** Opens one connection, unchecked. */
export async function dial({ host, port }: Target, deps: DialerDeps, signal: AbortSignal): Promise<Socket> {
  if (signal.aborted) throw unreachable(signal.reason)
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true })
  if (!deps.sockets.admit(socket, 'outgoing')) {
    throw new AppError('INTERNAL', {}, { message: 'Too many connections are open.' })
  }
  const step = (within: AbortSignal) => once(socket, 'connect', { signal: within })
  await orDestroy(socket, step, { most: deps.limits.dial, signal })
  return socket
}

/** Waits for a setup step of a socket; if it fails or takes too long, the socket is destroyed. */
export async function orDestroy(
  socket: Socket,
  step: (within: AbortSignal) => Promise<unknown>,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<void> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('Too slow', 'TimeoutError')), most)
  try {
    await step(AbortSignal.any([signal, limit.signal]))
  } catch (thrown) {
    socket.destroy()
    throw unreachable(limit.signal.aborted ? limit.signal.reason : thrown)
  } finally {
    clearTimeout(timer)
  }
}

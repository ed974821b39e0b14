import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { connectChecked, type Guard } from '../guard.ts'
import { unreachableError } from './refusal.ts'
import type { EgressLimits, Sockets } from './sockets.ts'
import type { Target } from './target.ts'

/** Directly, or through a proxy of the operator. Rejects targets that the guard rejects. */
export interface Dialer {
  tunnel(target: Target, signal: AbortSignal): Promise<Socket>
  /** The other end accepts plain HTTP requests for the target. */
  plain(target: Target, signal: AbortSignal): Promise<Socket>
  /** Alternating names and values for the proxy at the other end of `plain`, which also requires absolute URLs. */
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

export async function completeOrDestroy(
  socket: Socket,
  step: (stepSignal: AbortSignal) => Promise<unknown>,
  { maxMs, signal }: { maxMs: number; signal: AbortSignal },
): Promise<void> {
  const timeout = AbortSignal.timeout(maxMs)
  try {
    await step(AbortSignal.any([signal, timeout]))
  } catch (thrown) {
    socket.destroy()
    throw unreachableError(timeout.aborted ? timeout.reason : thrown)
  }
}

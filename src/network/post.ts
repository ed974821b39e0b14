import { type Dispatcher, request as send } from 'undici'
import { AppError } from '../base/errors.ts'
import { guardedAgent } from './connect.ts'
import { type ConnectionOwner, connectionPools, poolKey } from './connection-pools.ts'
import type { Guard } from './guard.ts'
import { wireFailure } from './wire-failure.ts'

export interface PostRequest {
  /** Requests of different owners never share a connection. */
  owner: ConnectionOwner
  url: URL
  /** Headers of the service, which replace those of the caller. */
  headers: Record<string, string>
  /** Headers of the caller; they may contain credentials. */
  callerHeaders: Record<string, string>
  body: Uint8Array
}

export interface Poster {
  /** Returns the status; redirects are not followed. Fails with a readable reason. */
  post(request: PostRequest, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

/** POST behind the guard, for receivers of webhooks: certificates must be valid, and redirects are not followed. */
export function createPoster(guard: Guard): Poster {
  const pools = connectionPools<Dispatcher>()
  const open = () => {
    const agent = guardedAgent(guard, true)
    return { value: agent, close: () => agent.destroy() }
  }
  return {
    post(request, signal) {
      const { owner, callerHeaders: headers, url } = request
      return pools.use(poolKey(owner, { headers, url }), open, (agent) => postOnce(agent, request, signal))
    },
    close: pools.close,
  }
}

async function postOnce(dispatcher: Dispatcher, request: PostRequest, signal: AbortSignal): Promise<number> {
  const { url, body, callerHeaders } = request
  const headers = { ...callerHeaders, ...request.headers }
  const answer = await send(url, { dispatcher, method: 'POST', headers, body, signal }).catch((thrown) => {
    throw signal.aborted ? signal.reason : explained(thrown)
  })
  // The body of the receiver is not needed, so it is discarded, however long it is.
  await answer.body.dump({ limit: 16 * 1024, signal }).catch(() => answer.body.destroy())
  return answer.statusCode
}

/** Our own text: readers of the delivery log are not operators and must not see internals. */
function explained(thrown: unknown): Error {
  if (thrown instanceof AppError) return thrown
  return new Error(`The receiver ${wireFailure(thrown).words}.`, { cause: thrown })
}

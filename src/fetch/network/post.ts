import { type Dispatcher, request as send } from 'undici'
import { AppError } from '../../platform/errors.ts'
import { decodeBody, readBody } from './body.ts'
import { createGuardedAgent, joinHeaders, toNetworkError } from './connect.ts'
import { type ConnectionOwner, createConnectionPools, poolKey } from './connection-pools.ts'
import type { Guard } from './guard.ts'

export interface PostRequest {
  owner: ConnectionOwner
  url: URL
  /** Replace headers of the caller with the same name. */
  headers: Record<string, string>
  callerHeaders: Record<string, string>
  body: Uint8Array
}

/** Connects only to targets that the guard allows. Certificates must be valid, and redirects are not followed. */
export function createPoster(guard: Guard) {
  const pools = createConnectionPools<Dispatcher>()
  const open = () => {
    const agent = createGuardedAgent(guard, true)
    return { value: agent, close: () => agent.destroy() }
  }
  return {
    post(request: PostRequest, signal: AbortSignal): Promise<number> {
      const { owner, callerHeaders: headers, url } = request
      return pools.use(poolKey(owner, { headers, url }), open, (agent) => postOnce(agent, request, signal))
    },
    close: pools.close,
  }
}

export type Poster = ReturnType<typeof createPoster>

async function postOnce(dispatcher: Dispatcher, request: PostRequest, signal: AbortSignal): Promise<number> {
  const { url, body, callerHeaders } = request
  const headers = { ...callerHeaders, ...request.headers }
  const response = await send(url, { dispatcher, method: 'POST', headers, body, signal }).catch((thrown) => {
    throw signal.aborted ? signal.reason : toReadableError(thrown)
  })
  await response.body.dump({ limit: 16 * 1024, signal }).catch(() => response.body.destroy())
  return response.statusCode
}

/** Without internals, because readers of the delivery log are not operators. */
function toReadableError(thrown: unknown): Error {
  if (thrown instanceof AppError) return thrown
  return new Error(`The receiver ${toNetworkError(thrown).description}.`, { cause: thrown })
}

interface ApiCall {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

const maxBytes = 4 * 1024 * 1024

/** Connects only to targets that the guard allows. Certificates must be valid, and the response size is limited. */
export function createApiClient(guard: Guard) {
  const agent = createGuardedAgent(guard, true)
  return {
    /** Does not follow redirects, because an API that redirects has changed. */
    async call({ method, url, headers, body }: ApiCall, signal: AbortSignal) {
      const limits = { bound: 'the size of an answer', bytes: maxBytes, signal }
      try {
        const response = await send(url, {
          ...{ dispatcher: agent, method, signal, body: body ?? null },
          headers: { 'accept-encoding': 'gzip, br', 'user-agent': userAgent, ...headers },
        })
        const joined = joinHeaders(response)
        const raw = await readBody(response.body, limits)
        const { bytes } = await decodeBody(raw, joined['content-encoding'], limits)
        return { status: response.statusCode, headers: joined, body: Buffer.from(bytes).toString() }
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        if (thrown instanceof AppError) throw thrown
        throw new Error(`${url.host} ${toNetworkError(thrown).description}`, { cause: thrown })
      }
    },
    close: () => agent.destroy(),
  }
}

/** Several APIs reject clients without one. */
const userAgent = 'Winnow (self-hosted web data service)'

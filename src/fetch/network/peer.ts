import { Agent, errors, request } from 'undici'
import { codeOf } from '../../platform/errors.ts'

export interface PeerResponse {
  status: number
  body: unknown
}

/** The call was not sent. */
export class PeerUnreachableError extends Error {}

/** The call was sent, but got no response. */
export class PeerDisconnectedError extends Error {}

/** The operator's settings define the targets, so the guard does not check them. */
export function createPeerClient() {
  // A call takes as long as the work that it requests, and its callers have their own limits.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 3000 } })
  return {
    async post(
      peer: { url: string; token: string },
      path: string,
      body: unknown,
      signal: AbortSignal,
    ): Promise<PeerResponse> {
      try {
        const response = await request(`${peer.url}${path}`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Peer ${peer.token}` },
          body: JSON.stringify(body),
          signal,
        })
        return { status: response.statusCode, body: await response.body.json() }
      } catch (thrown) {
        if (signal.aborted) throw thrown
        throw isUnsent(thrown)
          ? new PeerUnreachableError('Another process cannot be reached.', { cause: thrown })
          : new PeerDisconnectedError('Another process ended during the call.', { cause: thrown })
      }
    },
    close: () => dispatcher.destroy(),
  }
}

export type PeerClient = ReturnType<typeof createPeerClient>

function isUnsent(thrown: unknown): boolean {
  if (thrown instanceof errors.ConnectTimeoutError) return true
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(thrown))
}

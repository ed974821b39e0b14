import { Agent, errors, request } from 'undici'

/** Another process of this installation. */
export interface Peer {
  url: string
  /** What it knows us by. */
  token: string
}

export interface PeerAnswer {
  status: number
  body: unknown
}

/** The peer could not be reached, so it was asked nothing. */
export class PeerUnreachable extends Error {}

/** A call was sent to the peer, and its answer never came. */
export class PeerGone extends Error {}

export interface PeerClient {
  post(peer: Peer, path: string, body: unknown, signal: AbortSignal): Promise<PeerAnswer>
  close(): Promise<void>
}

/** Calls between the processes of an installation. They go where the operator's own settings say, past no guard. */
export function peerClient(): PeerClient {
  // A call lasts as long as what it asks for: those who wait have a limit of their own.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 3000 } })
  return {
    async post(peer, path, body, signal) {
      try {
        const answer = await request(`${peer.url}${path}`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Peer ${peer.token}` },
          body: JSON.stringify(body),
          signal,
        })
        return { status: answer.statusCode, body: await answer.body.json() }
      } catch (thrown) {
        if (signal.aborted) throw thrown
        throw isUnsent(thrown)
          ? new PeerUnreachable('Another process cannot be reached.', { cause: thrown })
          : new PeerGone('Another process ended during the call.', { cause: thrown })
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function isUnsent(thrown: unknown): boolean {
  if (thrown instanceof errors.ConnectTimeoutError) return true
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].some(
    (known) => known === code,
  )
}

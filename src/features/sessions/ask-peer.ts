import { AppError, type ErrorCode, errorCodes } from '../../base/errors.ts'
import { type PeerAnswer, type PeerClient, PeerGone, PeerUnreachable } from '../../network/peer.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { HomeCalls } from './home-calls.ts'
import type { PeerTokens } from './peer-tokens.ts'

/** Where a session lives. */
export type Home = Pick<SessionRow, 'id' | 'home' | 'holder'>

/** Asks a session that lives in another process. */
export async function askPeer<Name extends keyof HomeCalls>(
  needs: { peers: PeerClient; tokens: Pick<PeerTokens, 'tokenFor'> },
  session: Home,
  call: { name: Name; input: HomeCalls[Name]['input'] },
  signal: AbortSignal,
): Promise<HomeCalls[Name]['output']> {
  const peer = { url: session.home, token: await needs.tokens.tokenFor(session.holder) }
  const path = `/internal/sessions/${session.id}/${call.name}`
  // The same program answers it, from `homeCalls`.
  return outputOf(await needs.peers.post(peer, path, call.input, signal)) as HomeCalls[Name]['output']
}

function outputOf({ status, body }: PeerAnswer): unknown {
  // Answers and errors of our own server are objects.
  const { output, code, error, success: _, ...detail } = body as Record<string, unknown>
  if (status === 200) return output
  // The process that answers there is not the one that held the session: that one has gone.
  if (code === 'UNAUTHORIZED') throw new AppError('SESSION_DESTROYED')
  const known = errorCodes.find((candidate): candidate is ErrorCode => candidate === code) ?? 'INTERNAL'
  throw new AppError(known, detail, { message: String(error) })
}

/** The error for a caller whose call did not reach the other process, or lost it. */
export function asAnswer(thrown: unknown): unknown {
  if (thrown instanceof PeerUnreachable) {
    const message =
      'The process of the session cannot be reached, and nothing ran. Call again; if the process has died, the session ends within seconds.'
    return new AppError('SESSION_FAILED', { phase: 'reaching the session' }, { message, cause: thrown })
  }
  if (thrown instanceof PeerGone) {
    const message = 'The process of the session ended during this call.'
    return new AppError('JOB_INTERRUPTED', { phase: 'running' }, { message, cause: thrown })
  }
  return thrown
}

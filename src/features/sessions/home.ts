import { AppError } from '../../base/errors.ts'
import type { Holder } from '../../jobs/holder.ts'
import type { PeerClient } from '../../network/peer.ts'
import type { Store } from '../../store/schema.ts'
import { asAnswer, askPeer, type Home } from './ask-peer.ts'
import { type HomeCalls, homeCalls, type RunAgent } from './home-calls.ts'
import { peerTokens } from './peer-tokens.ts'
import type { SessionRegistry } from './registry.ts'

export type { AgentOutcome, RunAgent } from './home-calls.ts'

export interface HomeNeeds {
  store: Store
  holder: Holder
  registry: SessionRegistry
  peers: PeerClient
  agent: RunAgent | undefined
}

/** Asks a session in the process it lives in: here, or by a call to another process. */
export function sessionHome(needs: HomeNeeds) {
  const tokens = peerTokens(needs)
  const here = homeCalls(needs.agent)

  async function askHere<Name extends keyof HomeCalls>(
    id: string,
    name: Name,
    input: HomeCalls[Name]['input'],
    signal: AbortSignal,
  ): Promise<HomeCalls[Name]['output']> {
    const session = needs.registry.find(id)
    if (!session) throw new AppError('SESSION_DESTROYED')
    return here[name](input, session, signal)
  }

  function isCall(name: string): name is keyof HomeCalls {
    return Object.hasOwn(here, name)
  }

  return {
    /** Throws for a caller that is not another process of the installation. */
    mustBePeer: tokens.mustBePeer,

    async ask<Name extends keyof HomeCalls>(
      session: Home,
      name: Name,
      input: HomeCalls[Name]['input'],
      signal: AbortSignal,
    ): Promise<HomeCalls[Name]['output']> {
      try {
        const isHere = session.holder === needs.holder.id
        return await (isHere
          ? askHere(session.id, name, input, signal)
          : askPeer({ ...needs, tokens }, session, { name, input }, signal))
      } catch (thrown) {
        if (signal.aborted && !(thrown instanceof AppError)) throw new AppError('SCRAPE_JOB_CANCELLED')
        throw asAnswer(thrown)
      }
    },

    /** Answers another process. The token names this very process: one that was started in its place is not it. */
    async serve(call: { id: string; name: string; input: unknown; token: string }, signal: AbortSignal) {
      await tokens.mustBePeer(call.token)
      if (!isCall(call.name)) throw new AppError('UNAUTHORIZED')
      // A peer has checked what its caller sent, and is the same program.
      return askHere(call.id, call.name, call.input as HomeCalls[typeof call.name]['input'], signal)
    },
  }
}

export type SessionHome = ReturnType<typeof sessionHome>

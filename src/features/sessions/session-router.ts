import { type PeerAnswer, type PeerClient, PeerGone, PeerUnreachable } from '../../fetch/network/peer.ts'
import type { LeaseHolder } from '../../jobs/lease-holder.ts'
import { AppError, type ErrorCode, errorCodes } from '../../platform/errors.ts'
import { tokenSigner } from '../../platform/token-signer.ts'
import type { AgentTaskRequest, AgentOutcome as TaskOutcome } from '../../sessions/agent/agent.ts'
import type { CodeOutcome, CodeRequest } from '../../sessions/code/code-runner.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { Deps } from '../needs.ts'
import type { SessionBrowser } from './browser.ts'
import type { SessionRegistry } from './registry.ts'
import type { ActiveSession } from './session-lifecycle.ts'

export interface SessionRouterDeps extends Pick<Deps, 'store' | 'holder'> {
  registry: SessionRegistry
  peers: PeerClient
  agent: RunAgent | undefined
}

/** Asks a session in the process it lives in: here, or by a call to another process. */
export function createSessionRouter(deps: SessionRouterDeps) {
  const tokens = peerTokens(deps)
  const here = createSessionCalls(deps.agent)

  async function askHere<Name extends keyof SessionCalls>(
    id: string,
    name: Name,
    input: SessionCalls[Name]['input'],
    signal: AbortSignal,
  ): Promise<SessionCalls[Name]['output']> {
    const session = deps.registry.find(id)
    if (!session) throw new AppError('SESSION_DESTROYED')
    return here[name](input, session, signal)
  }

  function isCall(name: string): name is keyof SessionCalls {
    return Object.hasOwn(here, name)
  }

  return {
    /** Throws for a caller that is not another process of the installation. */
    mustBePeer: tokens.mustBePeer,

    async ask<Name extends keyof SessionCalls>(
      session: Home,
      name: Name,
      input: SessionCalls[Name]['input'],
      signal: AbortSignal,
    ): Promise<SessionCalls[Name]['output']> {
      try {
        const isHere = session.holder === deps.holder.id
        return await (isHere
          ? askHere(session.id, name, input, signal)
          : callPeer({ ...deps, tokens }, session, { name, input }, signal))
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
      return askHere(call.id, call.name, call.input as SessionCalls[typeof call.name]['input'], signal)
    },
  }
}

export type SessionRouter = ReturnType<typeof createSessionRouter>

/** Where a session lives. */
type Home = Pick<SessionRow, 'id' | 'home' | 'holder'>

/** Asks a session that lives in another process. */
export async function callPeer<Name extends keyof SessionCalls>(
  deps: { peers: PeerClient; tokens: Pick<PeerTokens, 'tokenFor'> },
  session: Home,
  call: { name: Name; input: SessionCalls[Name]['input'] },
  signal: AbortSignal,
): Promise<SessionCalls[Name]['output']> {
  const peer = { url: session.home, token: await deps.tokens.tokenFor(session.holder) }
  const path = `/internal/sessions/${session.id}/${call.name}`
  // The same program answers it, from `createSessionCalls`.
  return outputOf(await deps.peers.post(peer, path, call.input, signal)) as SessionCalls[Name]['output']
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

/** Tokens that processes of one installation show to each other: that one of them speaks, and to which one. */
export function peerTokens(deps: { store: Store; holder: Pick<LeaseHolder, 'id'> }) {
  const signer = tokenSigner(() => installationSecret(deps.store.query, 'peers'))
  return {
    tokenFor: (holder: string) => signer.sign(holder),
    /** Throws for a caller that is not another process of the installation. */
    async mustBePeer(token: string): Promise<void> {
      if (!(await signer.isGenuine(deps.holder.id, token))) throw new AppError('UNAUTHORIZED')
    },
  }
}

type PeerTokens = ReturnType<typeof peerTokens>

/** What an agent brought back from a page; the page itself stays in its process. */
export type AgentOutcome = Omit<TaskOutcome, 'page'>

/** Carries out a task in plain language in the browser of a session, on behalf of a team. */
export type RunAgent = (
  browser: SessionBrowser,
  order: AgentTaskRequest & { teamId: string },
  signal: AbortSignal,
) => Promise<AgentOutcome>

/** What can be asked of a session, wherever it lives. */
export interface SessionCalls {
  execute: { input: CodeRequest & Budget; output: CodeOutcome }
  prompt: { input: { prompt: string; teamId: string; timeoutMs: number } & Budget; output: AgentOutcome }
  end: { input: Record<string, never>; output: null }
}

interface Budget {
  /** All the caller waits for, with the time until the session is ready; null: as long as it takes. */
  budgetMs: number | null
}

type Serve<Name extends keyof SessionCalls> = (
  input: SessionCalls[Name]['input'],
  session: ActiveSession,
  signal: AbortSignal,
) => Promise<SessionCalls[Name]['output']>

/** What each call does with a session that lives in this process. */
export function createSessionCalls(agent: RunAgent | undefined): {
  [Name in keyof SessionCalls]: Serve<Name>
} {
  return {
    execute({ budgetMs, ...order }, session, signal) {
      const left = timeLeft({ timeoutMs: order.timeoutMs, budgetMs })
      return session.use(
        signal,
        (browser, alive) => browser.code.run({ ...order, timeoutMs: left() }, alive),
        patienceOf(budgetMs),
      )
    },
    prompt({ prompt, teamId, ...time }, session, signal) {
      if (!agent) throw new AppError('MODEL_NOT_CONFIGURED')
      const left = timeLeft(time)
      return session.use(
        signal,
        (browser, alive) => agent(browser, { prompt, teamId, timeoutMs: left(), jobId: session.id }, alive),
        patienceOf(time.budgetMs),
      )
    },
    async end(_, session) {
      await session.end('deleted')
      return null
    },
  }
}

/** What a run gets at least. */
const minRunMs = 1000

/** How long the session may take to be ready, so that a run still fits into the time of the caller. */
function patienceOf(budgetMs: number | null): number | undefined {
  return budgetMs === null ? undefined : budgetMs - minRunMs
}

/** What is left for the run itself; a moment at least, since the caller may be more patient than it says. */
function timeLeft({ timeoutMs, budgetMs }: { timeoutMs: number } & Budget): () => number {
  const began = performance.now()
  return () => {
    if (budgetMs === null) return timeoutMs
    return Math.max(minRunMs, Math.min(timeoutMs, Math.round(budgetMs - (performance.now() - began))))
  }
}

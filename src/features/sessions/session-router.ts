import {
  type PeerClient,
  PeerDisconnectedError,
  type PeerResponse,
  PeerUnreachableError,
} from '../../fetch/network/peer.ts'
import type { LeaseHolder } from '../../jobs/lease-holder.ts'
import { AppError, type ErrorCode, errorCodes } from '../../platform/errors.ts'
import { createTokenSigner } from '../../platform/token-signer.ts'
import type { AgentTaskRequest, AgentOutcome as TaskOutcome } from '../../sessions/agent/agent.ts'
import type { CodeOutcome, CodeRequest } from '../../sessions/code/code-runner.ts'
import type { Store } from '../../store/schema.ts'
import { getInstallationSecret } from '../../store/secrets.ts'
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

export function createSessionRouter(deps: SessionRouterDeps) {
  const tokens = peerTokens(deps)
  const localCalls = createSessionCalls(deps.agent)
  const isCall = (name: string): name is keyof SessionCalls => Object.hasOwn(localCalls, name)

  async function callLocal<Name extends keyof SessionCalls>(
    id: string,
    { name, input }: SessionCall<Name>,
    signal: AbortSignal,
  ): Promise<SessionCalls[Name]['output']> {
    const session = deps.registry.find(id)
    if (!session) throw new AppError('SESSION_DESTROYED')
    return localCalls[name](input, session, signal)
  }

  return {
    assertPeer: tokens.assertPeer,

    async call<Name extends keyof SessionCalls>(
      session: SessionOwner,
      name: Name,
      input: SessionCalls[Name]['input'],
      signal: AbortSignal,
    ): Promise<SessionCalls[Name]['output']> {
      try {
        const isHere = session.holder === deps.holder.id
        return await (isHere
          ? callLocal(session.id, { name, input }, signal)
          : callPeer({ ...deps, tokens }, session, { name, input }, signal))
      } catch (thrown) {
        if (signal.aborted && !(thrown instanceof AppError)) throw new AppError('SCRAPE_JOB_CANCELLED')
        throw toCallError(thrown)
      }
    },

    /** Handles a call from another process. A call for the predecessor of this process is rejected. */
    async serve(call: { id: string; name: string; input: unknown; token: string }, signal: AbortSignal) {
      const { id, name, token } = call
      await tokens.assertPeer(token)
      if (!isCall(name)) throw new AppError('UNAUTHORIZED')
      // The peer has validated the input of its caller and runs the same program.
      return callLocal(id, { name, input: call.input as SessionCalls[typeof name]['input'] }, signal)
    },
  }
}

export type SessionRouter = ReturnType<typeof createSessionRouter>

type SessionOwner = Pick<SessionRow, 'id' | 'home' | 'holder'>

interface SessionCall<Name extends keyof SessionCalls> {
  name: Name
  input: SessionCalls[Name]['input']
}

export async function callPeer<Name extends keyof SessionCalls>(
  deps: { peers: PeerClient; tokens: Pick<PeerTokens, 'tokenFor'> },
  session: SessionOwner,
  call: SessionCall<Name>,
  signal: AbortSignal,
): Promise<SessionCalls[Name]['output']> {
  const peer = { url: session.home, token: await deps.tokens.tokenFor(session.holder) }
  const path = `/internal/sessions/${session.id}/${call.name}`
  // The peer runs the same program and responds from `createSessionCalls`.
  return outputOf(await deps.peers.post(peer, path, call.input, signal)) as SessionCalls[Name]['output']
}

function outputOf({ status, body }: PeerResponse): unknown {
  // Responses and errors of our own server are always objects.
  const { output, code, error, success: _, ...detail } = body as Record<string, unknown>
  if (status === 200) return output
  // Another process now has this URL, so the process that owned the session is gone.
  if (code === 'UNAUTHORIZED') throw new AppError('SESSION_DESTROYED')
  const knownCode = errorCodes.find((candidate): candidate is ErrorCode => candidate === code) ?? 'INTERNAL'
  throw new AppError(knownCode, detail, { message: String(error) })
}

export function toCallError(thrown: unknown): unknown {
  if (thrown instanceof PeerUnreachableError) {
    const message =
      'The process of the session cannot be reached, and nothing ran. Call again; if the process has died, the session ends within seconds.'
    return new AppError('SESSION_FAILED', { phase: 'reaching the session' }, { message, cause: thrown })
  }
  if (thrown instanceof PeerDisconnectedError) {
    const message = 'The process of the session ended during this call.'
    return new AppError('JOB_INTERRUPTED', { phase: 'running' }, { message, cause: thrown })
  }
  return thrown
}

/** Processes of one installation authenticate to each other with a token that is bound to the target process. */
export function peerTokens(deps: { store: Store; holder: Pick<LeaseHolder, 'id'> }) {
  const signer = createTokenSigner(() => getInstallationSecret(deps.store.query, 'peers'))
  return {
    tokenFor: (holder: string) => signer.sign(holder),
    /** Throws if the caller is not another process of the installation. */
    async assertPeer(token: string): Promise<void> {
      if (!(await signer.verify(deps.holder.id, token))) throw new AppError('UNAUTHORIZED')
    },
  }
}

type PeerTokens = ReturnType<typeof peerTokens>

export type AgentOutcome = Omit<TaskOutcome, 'page'>

export type RunAgent = (
  browser: SessionBrowser,
  request: AgentTaskRequest & { teamId: string },
  signal: AbortSignal,
) => Promise<AgentOutcome>

export interface SessionCalls {
  execute: { input: CodeRequest & Budget; output: CodeOutcome }
  prompt: { input: { prompt: string; teamId: string; timeoutMs: number } & Budget; output: AgentOutcome }
  end: { input: Record<string, never>; output: null }
}

interface Budget {
  /** Maximum wait of the caller in milliseconds, including the time until the session is ready; null for no limit. */
  budgetMs: number | null
}

type CallHandler<Name extends keyof SessionCalls> = (
  input: SessionCalls[Name]['input'],
  session: ActiveSession,
  signal: AbortSignal,
) => Promise<SessionCalls[Name]['output']>

export function createSessionCalls(agent: RunAgent | undefined): {
  [Name in keyof SessionCalls]: CallHandler<Name>
} {
  return {
    execute({ budgetMs, ...request }, session, signal) {
      const remainingMs = createTimeBudget({ timeoutMs: request.timeoutMs, budgetMs })
      const run = (browser: SessionBrowser, workSignal: AbortSignal) =>
        browser.code.run({ ...request, timeoutMs: remainingMs() }, workSignal)
      return session.use(signal, run, readyTimeout(budgetMs))
    },
    prompt({ prompt, teamId, ...time }, session, signal) {
      if (!agent) throw new AppError('MODEL_NOT_CONFIGURED')
      const remainingMs = createTimeBudget(time)
      const run = (browser: SessionBrowser, workSignal: AbortSignal) =>
        agent(browser, { prompt, teamId, timeoutMs: remainingMs(), jobId: session.id }, workSignal)
      return session.use(signal, run, readyTimeout(time.budgetMs))
    },
    async end(_, session) {
      await session.end('deleted')
      return null
    },
  }
}

const minRunMs = 1000

const readyTimeout = (budgetMs: number | null) => (budgetMs === null ? undefined : budgetMs - minRunMs)

function createTimeBudget({ timeoutMs, budgetMs }: { timeoutMs: number } & Budget): () => number {
  const startedAt = performance.now()
  return () => {
    if (budgetMs === null) return timeoutMs
    return Math.max(minRunMs, Math.min(timeoutMs, Math.round(budgetMs - (performance.now() - startedAt))))
  }
}

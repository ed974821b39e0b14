import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError, type ErrorCode, errorCodes } from '../../base/errors.ts'
import type { Holder } from '../../jobs/holder.ts'
import { type PeerAnswer, type PeerClient, PeerGone, PeerUnreachable } from '../../network/peer.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'
import type { SessionRow } from '../../store/sessions.ts'
import type { CodeOrder, CodeOutcome, SessionBrowser } from './browser.ts'
import type { LivingSession } from './living.ts'
import type { SessionRegistry } from './registry.ts'

/** What an agent brought back from a page. */
export interface AgentOutcome {
  /** The answer; where it was stopped, the best it could give. */
  output: string
  result: string
  stdout: string
  steps: number
  /** Why it was stopped before it was done. */
  stopped?: string
}

/** Carries out a task in plain language in the browser of a session. */
export type RunAgent = (
  browser: SessionBrowser,
  order: { prompt: string; timeoutMs: number; jobId: string },
  signal: AbortSignal,
) => Promise<AgentOutcome>

/** What can be asked of a session, wherever it lives. */
export interface HomeCalls {
  execute: { input: CodeOrder & Budget; output: CodeOutcome }
  prompt: { input: { prompt: string; timeoutMs: number } & Budget; output: AgentOutcome }
  end: { input: Record<string, never>; output: null }
}

interface Budget {
  /** All the caller waits for, with the time until the session is ready; null: as long as it takes. */
  budgetMs: number | null
}

export interface HomeNeeds {
  store: Store
  holder: Holder
  registry: SessionRegistry
  peers: PeerClient
  agent: RunAgent | undefined
}

/** Asks a session in the process it lives in: here, or by a call to another process. */
export function sessionHome(needs: HomeNeeds) {
  let secret: Promise<string> | undefined
  /** Shows that one process of the installation speaks, and to which one. */
  const tokenFor = async (holder: string): Promise<string> => {
    secret ??= installationSecret(needs.store.query, 'peers')
    return createHmac('sha256', await secret)
      .update(holder)
      .digest('base64url')
  }

  const here: { [Name in keyof HomeCalls]: Serve<Name> } = {
    execute({ budgetMs, ...order }, session, signal) {
      const left = timeLeft({ timeoutMs: order.timeoutMs, budgetMs })
      return session.use(
        signal,
        (browser, alive) => browser.code.run({ ...order, timeoutMs: left() }, alive),
        patienceOf(budgetMs),
      )
    },
    prompt({ prompt, ...time }, session, signal) {
      const { agent } = needs
      if (!agent) throw new AppError('MODEL_NOT_CONFIGURED')
      const left = timeLeft(time)
      return session.use(
        signal,
        (browser, alive) => agent(browser, { prompt, timeoutMs: left(), jobId: session.id }, alive),
        patienceOf(time.budgetMs),
      )
    },
    async end(_, session) {
      await session.end('deleted')
      return null
    },
  }

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

  async function askPeer<Name extends keyof HomeCalls>(
    session: Home,
    name: Name,
    input: HomeCalls[Name]['input'],
    signal: AbortSignal,
  ): Promise<HomeCalls[Name]['output']> {
    const peer = { url: session.home, token: await tokenFor(session.holder) }
    const path = `/internal/sessions/${session.id}/${name}`
    // The same program answers it, from the function above.
    return outputOf(await needs.peers.post(peer, path, input, signal)) as HomeCalls[Name]['output']
  }

  return {
    /** Throws for whoever is not another process of the installation. */
    mustBePeer,

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
          : askPeer(session, name, input, signal))
      } catch (thrown) {
        if (signal.aborted && !(thrown instanceof AppError)) throw new AppError('SCRAPE_JOB_CANCELLED')
        throw asAnswer(thrown)
      }
    },

    /** Answers another process. The token names this very process: one that was started in its place is not it. */
    async serve(call: { id: string; name: string; input: unknown; token: string }, signal: AbortSignal) {
      await mustBePeer(call.token)
      if (!isCall(call.name)) throw new AppError('UNAUTHORIZED')
      // A peer has checked what its caller sent, and is the same program.
      return askHere(call.id, call.name, call.input as HomeCalls[typeof call.name]['input'], signal)
    },
  }

  async function mustBePeer(token: string): Promise<void> {
    const expected = Buffer.from(await tokenFor(needs.holder.id))
    const given = Buffer.from(token)
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new AppError('UNAUTHORIZED')
  }

  function isCall(name: string): name is keyof HomeCalls {
    return Object.hasOwn(here, name)
  }
}

type Home = Pick<SessionRow, 'id' | 'home' | 'holder'>

export type SessionHome = ReturnType<typeof sessionHome>

type Serve<Name extends keyof HomeCalls> = (
  input: HomeCalls[Name]['input'],
  session: LivingSession,
  signal: AbortSignal,
) => Promise<HomeCalls[Name]['output']>

/** What a run gets at least. */
const leastRunMs = 1000

/** How long the session may take to be ready, so that a run still fits into the time of the caller. */
function patienceOf(budgetMs: number | null): number | undefined {
  return budgetMs === null ? undefined : budgetMs - leastRunMs
}

/** What is left for the run itself; a moment at least, since the caller may be more patient than it says. */
function timeLeft({ timeoutMs, budgetMs }: { timeoutMs: number } & Budget): () => number {
  const began = performance.now()
  return () => {
    if (budgetMs === null) return timeoutMs
    return Math.max(leastRunMs, Math.min(timeoutMs, Math.round(budgetMs - (performance.now() - began))))
  }
}

function outputOf({ status, body }: PeerAnswer): unknown {
  // Answers and errors of our own server are objects.
  const { output, code, error, success: _, ...detail } = body as Record<string, unknown>
  if (status === 200) return output
  // Whoever answers there is not the process that held the session: that one has gone.
  if (code === 'UNAUTHORIZED') throw new AppError('SESSION_DESTROYED')
  const known = errorCodes.find((candidate): candidate is ErrorCode => candidate === code) ?? 'INTERNAL'
  throw new AppError(known, detail, { message: String(error) })
}

function asAnswer(thrown: unknown): unknown {
  if (thrown instanceof PeerUnreachable) {
    const message =
      'The process that holds the session cannot be reached, and nothing was run. Call again; if it has died, the session ends within seconds.'
    return new AppError('SESSION_FAILED', { phase: 'reaching the session' }, { message, cause: thrown })
  }
  if (thrown instanceof PeerGone) {
    const message = 'The process that holds the session has gone while it worked on this call.'
    return new AppError('JOB_INTERRUPTED', { phase: 'running' }, { message, cause: thrown })
  }
  return thrown
}

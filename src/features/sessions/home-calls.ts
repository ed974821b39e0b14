import { AppError } from '../../base/errors.ts'
import type { AgentOrder, AgentOutcome as TaskOutcome } from '../../remote-browser/agent/agent.ts'
import type { CodeOrder, CodeOutcome } from '../../remote-browser/code/code-runner.ts'
import type { SessionBrowser } from './browser.ts'
import type { LivingSession } from './living.ts'

/** What an agent brought back from a page; the page itself stays in its process. */
export type AgentOutcome = Omit<TaskOutcome, 'page'>

/** Carries out a task in plain language in the browser of a session, on behalf of a team. */
export type RunAgent = (
  browser: SessionBrowser,
  order: AgentOrder & { teamId: string },
  signal: AbortSignal,
) => Promise<AgentOutcome>

/** What can be asked of a session, wherever it lives. */
export interface HomeCalls {
  execute: { input: CodeOrder & Budget; output: CodeOutcome }
  prompt: { input: { prompt: string; teamId: string; timeoutMs: number } & Budget; output: AgentOutcome }
  end: { input: Record<string, never>; output: null }
}

interface Budget {
  /** All the caller waits for, with the time until the session is ready; null: as long as it takes. */
  budgetMs: number | null
}

type Serve<Name extends keyof HomeCalls> = (
  input: HomeCalls[Name]['input'],
  session: LivingSession,
  signal: AbortSignal,
) => Promise<HomeCalls[Name]['output']>

/** What each call does with a session that lives in this process. */
export function homeCalls(agent: RunAgent | undefined): { [Name in keyof HomeCalls]: Serve<Name> } {
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

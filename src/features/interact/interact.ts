import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../base/errors.ts'
import { isUuid } from '../../base/ids.ts'
import type { Queue } from '../../jobs/queue.ts'
import { findSessionOfScrape, type SessionRow } from '../../store/sessions.ts'
import { admitPrompt, admitSession, takeBackPrompt } from '../sessions/admit.ts'
import type { AgentOutcome } from '../sessions/home.ts'
import { usualTimeout } from '../sessions/schema.ts'
import { endSession, refuseEnded, type SessionNeeds, shownOutcome } from '../sessions/sessions.ts'
import { replay } from './replay.ts'
import { replayContext } from './replay-context.ts'
import type { InteractRequest } from './schema.ts'

export interface InteractNeeds extends SessionNeeds {
  queue: Queue
  hasModel: boolean
}

/** Seconds for a prompt where the caller names none: clients wait for five minutes then. */
const usualPromptTimeout = 240
/** Clients that name a timeout give up five seconds after it. */
const patienceMs = 4000

/** Runs code or a prompt in the browser of a scrape, which is opened by the first call and lives on. */
export async function interact(
  needs: InteractNeeds,
  team: Team,
  order: { scrapeId: string; request: InteractRequest },
  signal: AbortSignal,
) {
  const began = performance.now()
  const { request } = order
  await needs.browsers.check()
  if (request.prompt !== undefined && !needs.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const { session, warning, isNew } = await sessionFor(needs, team, order)
  refuseEnded(session)
  const budgetMs =
    request.timeout === undefined
      ? null
      : Math.round(request.timeout * 1000 + patienceMs - (performance.now() - began))
  const { error, ...ran } = await run(needs, team, { session, request, budgetMs, isNew }, signal)
  return {
    success: error === undefined,
    sessionId: session.id,
    ...(await needs.links.addressesOf(session)),
    ...ran,
    ...(error === undefined ? {} : { error }),
    ...(warning === undefined ? {} : { warning }),
  }
}

interface Run {
  session: SessionRow
  request: InteractRequest
  budgetMs: number | null
  /** It was opened for this very call. */
  isNew: boolean
}

async function run(
  needs: InteractNeeds,
  team: Team,
  { session, request, budgetMs, isNew }: Run,
  signal: AbortSignal,
) {
  const { code, prompt, language } = request
  if (prompt !== undefined) {
    // What a session costs with a prompt is set aside when it is opened for one.
    if (!isNew) await admitPrompt(needs.store, team, session)
    const timeoutMs = (request.timeout ?? usualPromptTimeout) * 1000
    try {
      const input = { prompt, teamId: team.id, timeoutMs, budgetMs }
      return shownTask(await needs.home.ask(session, 'prompt', input, signal))
    } catch (thrown) {
      if (failedAtOnce(thrown)) await uncharge(needs, session, { isNew, why: thrown })
      throw thrown
    }
  }
  const timeout = request.timeout ?? usualTimeout
  const input = { code: code ?? '', language, timeoutMs: Math.round(timeout * 1000), budgetMs }
  return shownOutcome(await needs.home.ask(session, 'execute', input, signal), timeout)
}

/** A task that failed before its first step, or was never begun. One whose time was up has had it. */
function failedAtOnce(thrown: unknown): thrown is AppError {
  if (!(thrown instanceof AppError)) return false
  const { code, detail } = thrown
  if (code === 'MODEL_NOT_CONFIGURED' || detail.phase === 'reaching the session') return true
  return detail.steps === 0 && code !== 'INTERACT_TIMEOUT'
}

/** Such a task costs nothing, and neither does the session that was opened for it and that nobody else has used. */
async function uncharge(
  needs: InteractNeeds,
  session: SessionRow,
  { isNew, why }: { isNew: boolean; why: AppError },
): Promise<void> {
  await takeBackPrompt(needs.store, session)
  // A session that was opened by this call lives in this process.
  if (isNew) await needs.registry.find(session.id)?.abandon(why)
}

/** A task that was stopped has failed, although it may have brought an answer. */
function shownTask({ output, stdout, result, stopped }: AgentOutcome) {
  const error = stopped === undefined ? undefined : `The task was ended before it was done: ${stopped}.`
  return { output, stdout, result, stderr: '', exitCode: error ? 1 : 0, killed: false, error }
}

/** The session of the scrape: the one that is there, or a new one in this process. */
async function sessionFor(
  needs: InteractNeeds,
  team: Team,
  { scrapeId, request }: { scrapeId: string; request: InteractRequest },
): Promise<{ session: SessionRow; isNew: boolean; warning?: string | undefined }> {
  const known = await findTeamSessionOfScrape(needs, team, scrapeId)
  if (known) return { session: known, isNew: false }
  const job = await needs.queue.find(team, scrapeId, 'scrape')
  const context = replayContext(job)
  const { ttl, activityTtl, origin } = request
  const admitted = await admitSession(needs, {
    ...{ kind: 'interact', team, scrapeId: job.id, target: job.target, origin, ttl, activityTtl },
    ...{ streamWebView: true, profile: context.profile, usesPrompt: request.prompt !== undefined },
  })
  // Another call was first, by a moment: its session is this one's too.
  if (!admitted) return sessionFor(needs, team, { scrapeId, request })
  needs.registry.start(admitted, (browser, signal) => replay(browser, context, signal))
  const missing = context.headerNames.join(', ')
  const warning = `The page was opened without the headers of the scrape (${missing}): their values are not kept.`
  return { session: admitted.session, isNew: true, warning: missing === '' ? undefined : warning }
}

async function findTeamSessionOfScrape(
  needs: InteractNeeds,
  team: Team,
  scrapeId: string,
): Promise<SessionRow | undefined> {
  if (!isUuid(scrapeId)) throw new AppError('INVALID_JOB_ID')
  const row = await findSessionOfScrape(needs.store.query, scrapeId.toLowerCase())
  if (row && row.team_id !== team.id) throw new AppError('FORBIDDEN')
  return row
}

/** Ends the session of a scrape. */
export async function stopInteracting(
  needs: InteractNeeds,
  team: Team,
  scrapeId: string,
  signal: AbortSignal,
) {
  const session = await findTeamSessionOfScrape(needs, team, scrapeId)
  if (!session) throw new AppError('SESSION_NOT_FOUND')
  return endSession(needs, team, session, signal)
}

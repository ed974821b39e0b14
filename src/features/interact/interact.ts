import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { Team } from '../../accounts/team.ts'
import { emulateOpenPage } from '../../browser/emulate.ts'
import { settle } from '../../browser/settle.ts'
import { watchNetwork } from '../../browser/watch-network.ts'
import { getRepeatedActions, runActions, waitingTime } from '../../fetch/actions/index.ts'
import { rejectionHeader } from '../../fetch/network/egress/refusal.ts'
import type { Queue } from '../../jobs/queue.ts'
import { boundedText } from '../../platform/bounded.ts'
import { type Deadline, startDeadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { stripInternalAddresses } from '../../platform/safe-errors.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { findSessionOfScrape, type SessionRow } from '../../store/sessions.ts'
import { storedJson } from '../../store/stored-json.ts'
import { present } from '../present.ts'
import { callLabels, scrapeOptions } from '../scrape/schema.ts'
import { admitPrompt, admitSession, releasePrompt } from '../sessions/admit.ts'
import { contextOf, type SessionBrowser } from '../sessions/browser.ts'
import {
  codeFields,
  defaultTimeoutSeconds,
  lifetimeFields,
  runResult,
  sessionUrlFields,
} from '../sessions/schema.ts'
import type { AgentOutcome } from '../sessions/session-router.ts'
import { endSession, type SessionDeps, throwIfEnded, toOutcomeResponse } from '../sessions/sessions.ts'

export interface InteractDeps extends SessionDeps {
  queue: Queue
  hasModel: boolean
}

/** Shorter than the five minutes for which clients wait by default. */
const defaultPromptSeconds = 240
/** Time to answer after the timeout. Clients that set a timeout disconnect five seconds after it. */
const clientGraceMs = 4000

export async function interact(
  deps: InteractDeps,
  team: Team,
  params: { scrapeId: string; request: InteractRequest },
  signal: AbortSignal,
) {
  const startTime = performance.now()
  const { request } = params
  await deps.browsers.check()
  if (request.prompt !== undefined && !deps.hasModel) throw new AppError('MODEL_NOT_CONFIGURED')
  const { session, warning, isNew } = await getOrCreateSession(deps, team, params)
  throwIfEnded(session)
  const budgetMs =
    request.timeout === undefined
      ? null
      : Math.round(request.timeout * 1000 + clientGraceMs - (performance.now() - startTime))
  const { error, ...runOutput } = await runRequest(deps, team, { session, request, budgetMs, isNew }, signal)
  return {
    success: error === undefined,
    sessionId: session.id,
    ...(await deps.links.urlsOf(session)),
    ...runOutput,
    ...present({ error, warning }),
  }
}

interface RunParams {
  session: SessionRow
  request: InteractRequest
  budgetMs: number | null
  isNew: boolean
}

async function runRequest(
  deps: InteractDeps,
  team: Team,
  { session, request, budgetMs, isNew }: RunParams,
  signal: AbortSignal,
) {
  const { code, prompt, language } = request
  if (prompt !== undefined) {
    // The price of the prompt for which a session is opened is reserved when the session is admitted.
    if (!isNew) await admitPrompt(deps.store, team, session)
    const timeoutMs = (request.timeout ?? defaultPromptSeconds) * 1000
    try {
      const input = { prompt, teamId: team.id, timeoutMs, budgetMs }
      return toTaskResponse(await deps.router.call(session, 'prompt', input, signal))
    } catch (thrown) {
      if (failedBeforeStart(thrown)) {
        await releasePrompt(deps.store, session)
        // A session that was opened for this task runs in this process and has no other use.
        if (isNew) await deps.registry.find(session.id)?.abandon(thrown)
      }
      throw thrown
    }
  }
  const timeout = request.timeout ?? defaultTimeoutSeconds
  const input = { code: code ?? '', language, timeoutMs: Math.round(timeout * 1000), budgetMs }
  return toOutcomeResponse(await deps.router.call(session, 'execute', input, signal), timeout)
}

function failedBeforeStart(thrown: unknown): thrown is AppError {
  if (!(thrown instanceof AppError)) return false
  const { code, detail } = thrown
  if (code === 'MODEL_NOT_CONFIGURED' || detail.phase === 'reaching the session') return true
  return detail.steps === 0 && code !== 'INTERACT_TIMEOUT'
}

/** Converts the outcome of a task to the response. A stopped task counts as failed, even if it has an output. */
function toTaskResponse({ output, stdout, result, stopped }: AgentOutcome) {
  const error = stopped === undefined ? undefined : `The task was ended before it was done: ${stopped}.`
  return { output, stdout, result, stderr: '', exitCode: error ? 1 : 0, killed: false, error }
}

async function getOrCreateSession(
  deps: InteractDeps,
  team: Team,
  { scrapeId, request }: { scrapeId: string; request: InteractRequest },
): Promise<{ session: SessionRow; isNew: boolean; warning?: string | undefined }> {
  const existing = await findTeamSessionOfScrape(deps, team, scrapeId)
  if (existing) return { session: existing, isNew: false }
  const job = await deps.queue.find(team, scrapeId, 'scrape')
  const context = replayContext(job)
  const { ttl, activityTtl, origin } = request
  const admitted = await admitSession(deps, {
    ...{ kind: 'interact', team, scrapeId: job.id, target: job.target, origin, ttl, activityTtl },
    ...{ streamWebView: true, profile: context.profile, usesPrompt: request.prompt !== undefined },
  })
  // A concurrent call has created the session in the meantime.
  if (!admitted) return getOrCreateSession(deps, team, { scrapeId, request })
  deps.registry.start(admitted, (browser, signal) => replay(browser, context, signal))
  const missingHeaders = context.headerNames.join(', ')
  const warning = `The page was opened without the headers of the scrape (${missingHeaders}): their values are not kept.`
  return { session: admitted.session, isNew: true, warning: missingHeaders === '' ? undefined : warning }
}

async function findTeamSessionOfScrape(deps: InteractDeps, team: Team, scrapeId: string) {
  if (!isUuid(scrapeId)) throw new AppError('INVALID_JOB_ID')
  const row = await findSessionOfScrape(deps.store.query, scrapeId.toLowerCase())
  if (row && row.team_id !== team.id) throw new AppError('FORBIDDEN')
  return row
}

export async function stopInteracting(deps: InteractDeps, team: Team, scrapeId: string, signal: AbortSignal) {
  const session = await findTeamSessionOfScrape(deps, team, scrapeId)
  if (!session) throw new AppError('SESSION_NOT_FOUND')
  return endSession(deps, team, session, signal)
}

async function replay(browser: SessionBrowser, context: ReplayContext, signal: AbortSignal): Promise<void> {
  const waitMs = context.waitFor + waitingTime(context.actions)
  const maxMs = Math.min(300_000, Math.max(30_000, waitMs + 45_000))
  const deadline = startDeadline(maxMs, 'REPLAY_UNAVAILABLE', signal)
  const emulation = {
    isMobile: context.mobile,
    country: context.location?.country,
    languages: context.location?.languages ?? [],
    acceptsInvalidCertificates: context.skipTlsVerification,
  }
  const steps: [phase: string, step: (page: Page) => Promise<unknown>][] = [
    ['emulating the device', (page) => emulateOpenPage(page, emulation)],
    ['opening the page', (page) => openPage(page, context, deadline)],
    ['waiting', (page) => page.waitForTimeout(context.waitFor)],
    ['actions', (page) => runPageActions(page, context, deadline)],
  ]
  const browserContext = await contextOf(browser)
  const page = browserContext.pages()[0] ?? (await browserContext.newPage())
  for (const [phase, step] of steps) {
    try {
      await deadline.during(phase, () => step(page))
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const reason = deadline.signal.aborted ? 'its time was up' : firstLine(thrown)
      throw createReplayError(phase, reason, thrown)
    }
  }
}

async function openPage(page: Page, context: ReplayContext, deadline: Deadline): Promise<void> {
  const network = watchNetwork(page)
  const url = /^https?:/i.test(context.url) ? context.url : `http://${context.url}`
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: deadline.remaining() })
  if (response?.url().startsWith('http:') && response.headers()[rejectionHeader])
    throw new Error('the address is private, local or reserved')
  const settled = settle(page, { network, signal: deadline.signal })
  if (context.blockAds) {
    // An open consent dialog would intercept the clicks of the following actions.
    const { handleConsent } = await import('../../browser/consent/consent.ts')
    await handleConsent(page, { signal: deadline.signal, maxMs: 5000, settled })
  }
  await settled
}

async function runPageActions(page: Page, context: ReplayContext, deadline: Deadline): Promise<void> {
  const actions = getRepeatedActions(context.actions)
  if (actions.length === 0) return
  const network = watchNetwork(page)
  await runActions(page, actions, { remaining: deadline.remaining, signal: deadline.signal })
  await settle(page, { network, signal: deadline.signal })
}

function firstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return stripInternalAddresses(message.split('\n')[0] ?? '')
}

const storedInput = storedJson(
  { table: 'jobs', column: 'input' },
  storedShape(
    z.object({
      url: z.string().optional(),
      headerNames: z.array(z.string()).default([]),
      ...z.object(scrapeOptions).pick({
        waitFor: true,
        actions: true,
        mobile: true,
        location: true,
        blockAds: true,
        skipTlsVerification: true,
        profile: true,
      }).shape,
    }),
  ),
)

type ReplayContext = ReturnType<typeof storedInput.read> & { url: string }

export function replayContext(job: Pick<JobRow, 'input' | 'retain'>): ReplayContext {
  const { url, ...options } = storedInput.read(job.input)
  if (job.retain !== 0 && url !== undefined) return { ...options, url }
  const reason = 'nothing was kept of this scrape (zero retention or lockdown)'
  throw createReplayError('reading the record', reason)
}

function createReplayError(phase: string, reason: string, cause?: unknown): AppError {
  const message = `The page of the scrape cannot be opened as it was (${phase}: ${reason}). Run the scrape again, then interact with that.`
  return new AppError('REPLAY_UNAVAILABLE', { phase }, { message, cause })
}

export const interactRequest = z
  .strictObject({
    code: codeFields.code.optional(),
    prompt: boundedText('MAX_PROMPT_LENGTH')
      .min(1)
      .optional()
      .describe('Task in natural language. Requires a language model.'),
    language: codeFields.language,
    timeout: z
      .number()
      .min(1)
      .max(300)
      .optional()
      .describe('Time limit in seconds. Default: 30 for code, 240 for a prompt.'),
    ...lifetimeFields,
    ...callLabels,
  })
  .superRefine(({ code, prompt }, context) => {
    if ((code === undefined) !== (prompt === undefined)) return
    context.addIssue({ code: 'custom', path: [], message: 'Give exactly one of code and prompt.' })
  })

export type InteractRequest = z.output<typeof interactRequest>

export const interactResult = z.object({
  success: z.boolean().describe('True if the run completed without errors.'),
  sessionId: z.string(),
  ...sessionUrlFields,
  output: z.string().optional().describe('Answer to a prompt.'),
  ...runResult,
  warning: z.string().optional(),
})

import { z } from 'zod'
import type { Team } from '../../accounts/team.ts'
import { crawlRequestOf } from '../../features/crawl/tally.ts'
import { type DocsSearchRequest, searchDocumentation } from '../../features/docs-search/docs-search.ts'
import { type FeedbackQuery, giveFeedback, listTeamFeedback } from '../../features/feedback/feedback.ts'
import type { FeedbackRequest, SearchFeedbackRequest } from '../../features/feedback/schema.ts'
import type { JobTrace } from '../../features/job-trace.ts'
import { mapRequest } from '../../features/map.ts'
import { mostPrice } from '../../features/scrape/plan.ts'
import { scrapeRequest } from '../../features/scrape/schema.ts'
import { ask } from '../../features/support/ask.ts'
import { namedIn } from '../../features/support/choose.ts'
import type { SupportAnswer, SupportQuestion } from '../../features/support/schema.ts'
import type { AnsweredDocument, SupportCase } from '../../features/support/support-case.ts'
import { type PlannedTrial, planTrial, refusalOfExploration } from '../../features/support/trial-options.ts'
import type { FixToTry, Tried } from '../../features/support/try-fixes.ts'
import { queueStatus } from '../../features/usage.ts'
import { defineJob, type RunningJob } from '../../jobs/job.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { JsonText } from '../../platform/json/json.ts'
import { Permits } from '../../platform/permits.ts'
import { startTrace } from '../../platform/trace/trace.ts'
import { balanceOf } from '../../store/credits.ts'
import { recentJobs } from '../../store/jobs/activity.ts'
import { creditsSetAside, findJob } from '../../store/jobs/jobs.ts'
import { listChildren } from '../../store/jobs/parent-jobs.ts'
import { callsInWindow, takeFromDay } from '../../store/rates.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { Bound } from './needs.ts'
import type { jobTraceUseCases } from './records.ts'

/** Time of one trial. */
const longestTrial = 25_000
const trialPages = 30
const mostTrialPages = 500

/** Trials of all teams that run at the same time in one process, and those that are kept for teams without any. */
const maxTrialsAtOnce = { count: 8, spare: 2 }
const explorationPrice = 1

/**
 * Runs the request of a case once more, with other options. A trial only reads: `planTrial` decides which options it takes
 * over, and `readOnlyScrape` has no means to write. Trials are free, but need the balance of an ordinary call.
 */
function supportTrials(needs: Bound) {
  const permits = new Permits(maxTrialsAtOnce)
  return (facts: SupportCase, fix: FixToTry, signal: AbortSignal): Promise<Tried> | undefined => {
    const plan = planOf(needs, facts, fix)
    if (!plan) return undefined
    return attempted(signal, async () => {
      if ('refused' in plan) return plan
      return permits.run({ team: facts.teamId }, signal, async () => {
        const refused = await refusalOf(needs, facts, plan.price)
        return refused === undefined ? await plan.run(signal) : { refused }
      })
    })
  }
}

type Plan = { price: number; run(signal: AbortSignal): Promise<Tried> } | { refused: string }

/** Undefined: the job cannot be repeated. */
function planOf(needs: Bound, facts: SupportCase, { fix, source }: FixToTry): Plan | undefined {
  const { job, request } = facts
  const { scrapeOptions, ...besides } = fix
  if (!job?.target || Object.keys({ ...request, ...facts.pageRequest }).length === 0) return undefined
  const again = (stored: Record<string, unknown>, options: Record<string, unknown>) => {
    const url = facts.page?.target ?? job.target ?? ''
    const { allowsActions } = facts
    return planScrape(needs, facts, planTrial({ url, stored, fix: options, source, allowsActions }))
  }
  const options = isObject(request.scrapeOptions) ? request.scrapeOptions : {}
  if (job.kind === 'scrape') return again(request, fix)
  if (job.kind === 'batch_scrape') return again({ ...options, ...facts.pageRequest }, fix)
  if (job.kind !== 'crawl' && job.kind !== 'map') return undefined
  const refused = refusalOfExploration(besides)
  if (refused !== undefined) return { refused }
  if (job.kind === 'crawl' && isObject(scrapeOptions))
    return again({ ...options, ...facts.pageRequest }, scrapeOptions)
  return {
    price: explorationPrice,
    run: (signal) => exploreAgain(needs.kinds, { facts, fix, signal }),
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The reason why the team gets no trial now; undefined if it does. */
async function refusalOf(needs: Bound, { teamId }: SupportCase, price: number): Promise<string | undefined> {
  const { store, clock, supportTrialsPerDay: most } = needs
  const balance = await balanceOf(store.query, teamId)
  if (balance !== null && balance - (await creditsSetAside(store.query, teamId)) < price)
    return `A trial needs a balance of ${price} credits, and the team has less.`
  if (await takeFromDay(store.query, { teamId, lane: 'support trials', now: clock.now() }, most))
    return undefined
  return `The team has used its ${most} trials of today (SUPPORT_TRIALS_PER_DAY).`
}

function planScrape(needs: Bound, facts: SupportCase, planned: PlannedTrial): Plan {
  if ('refused' in planned) return planned
  const { request, actions, notes } = planned
  const timeout = Math.min(
    Number(request.timeout ?? longestTrial),
    Math.max(longestTrial, Number(request.waitFor ?? 0) + 10_000),
  )
  const parsed = scrapeRequest.safeParse({ ...request, timeout: Math.max(1000, timeout) })
  if (!parsed.success) return { refused: 'The options do not fit together.' }
  const did = [
    ...notes,
    ...(actions.length > 0 ? [`with the actions ${actions.join(', ')} on the site`] : []),
  ]
  return {
    price: mostPrice(parsed.data, needs.hasEnhancedProxy),
    async run(signal) {
      const { outcome } = await needs.kinds.readOnlyScrape(trialJob(facts, parsed.data), signal)
      if ('error' in outcome) return { error: outcome.error, did }
      const { markdown, json } = outcome.result as { markdown?: unknown; json?: unknown }
      return {
        did,
        markdown: await textOf(markdown),
        ...(json === undefined ? {} : { json: await parsedOf(json) }),
      }
    },
  }
}

async function exploreAgain(
  kinds: Bound['kinds'],
  { facts, fix, signal }: Pick<FixToTry, 'fix'> & { facts: SupportCase; signal: AbortSignal },
): Promise<Tried> {
  const wanted = merged(facts.request, fix)
  const had = facts.job?.pages?.completed ?? facts.document?.links?.length ?? 0
  // More than were had, or nothing could be seen of a better result.
  const most = Math.min(mostTrialPages, Math.max(trialPages, had * 2))
  const parsed = mapRequest.safeParse({
    url: facts.job?.target,
    limit: Math.min(most, Number(wanted.limit ?? most)),
    // A crawl of no depth follows no links.
    sitemap: wanted.maxDiscoveryDepth === 0 ? 'only' : (wanted.sitemap ?? 'include'),
    includeSubdomains: wanted.allowSubdomains ?? wanted.includeSubdomains ?? false,
    allowExternalLinks: wanted.allowExternalLinks ?? false,
    filterByPath: wanted.filterByPath ?? !(wanted.crawlEntireDomain ?? false),
    ignoreQueryParameters: wanted.ignoreQueryParameters ?? false,
    includePaths: wanted.includePaths ?? [],
    excludePaths: wanted.excludePaths ?? [],
    timeout: longestTrial,
    ignoreCache: true,
  })
  if (!parsed.success) throw new AppError('BAD_REQUEST')
  const outcome = await kinds.map.run(trialJob(facts, parsed.data), signal)
  return 'error' in outcome ? { error: outcome.error } : { pages: outcome.result.links.length }
}

/** A job that is on no record. */
function trialJob<Input>({ teamId }: SupportCase, input: Input): RunningJob<Input> {
  return {
    ...{ id: newId(), teamId, parentId: null, keyId: null, isBackground: false, input },
    ...{ waitedMs: undefined, spentMs: 0, giveWay: async () => {}, trace: startTrace() },
  }
}

async function attempted(signal: AbortSignal, work: () => Promise<Tried>): Promise<Tried> {
  try {
    return await work()
  } catch (thrown) {
    if (signal.aborted) return { refused: 'the time of the question was over.' }
    return { error: toAppError(thrown) }
  }
}

/** Options of a fix over those of the request: objects are merged, null leaves an option out. */
function merged(request: Record<string, unknown>, fix: Record<string, unknown>): Record<string, unknown> {
  const both = { ...request, ...fix }
  return Object.fromEntries(Object.entries(both).filter(([, value]) => value !== null))
}

/** A long value was serialised where the page was read. */
const parsedOf = async (value: unknown) => (value instanceof JsonText ? value.value() : value)

async function textOf(markdown: unknown): Promise<string> {
  const text = await parsedOf(markdown)
  return typeof text === 'string' ? text : ''
}

/** What any kind of job was asked for. */
const anyInput = storedJson({ table: 'jobs', column: 'input' }, z.record(z.string(), z.unknown()))

const day = 24 * 3600_000
const mostJobs = 100
/** Pages of a crawl or a batch that are looked at, and those of which only the address is. */
const mostChildren = 8
const mostFailed = 3
const mostTargets = 50
const mostSections = 3
const longestPassage = 600
/** A result that is longer is not read for a diagnosis. */
const longestDocument = 2_000_000

/** The agent that finds out why a call did not bring what was expected. */
export function supportUseCases(bound: Bound & ReturnType<typeof jobTraceUseCases>) {
  const needs = { ...bound, ...readers(bound), run: supportTrials(bound), budgetMs: bound.supportMs }
  const kind = (team: Team) =>
    defineJob<SupportQuestion, SupportAnswer>({
      kind: 'support',
      takesSlot: true,
      onRecord: ({ question, jobId }) => ({ question, jobId }),
      run: async (job, signal) => ({ credits: 0, result: await ask(needs, team, job.input, signal) }),
    })
  return {
    askSupport(team: Team, question: SupportQuestion, signal: AbortSignal): Promise<SupportAnswer> {
      const order = {
        ...{ team, input: question, target: question.jobId ?? null },
        ...{ origin: undefined, retain: true, price: 0 },
        deadlineAt: bound.clock.now() + bound.supportMs,
      }
      return bound.runNow(kind(team), order, { timeoutMs: bound.supportMs, signal })
    },
  }
}

/** What the agent reads: of the calling team alone. */
function readers(bound: Bound & ReturnType<typeof jobTraceUseCases>) {
  const { store, clock, queue, jobTrace, ratePerMinute } = bound
  return {
    trace: jobTrace,
    async recentJobs(team: Team) {
      const since = clock.now() - day
      const rows = await recentJobs(store.query, { teamId: team.id, since, limit: mostJobs })
      return rows
        .filter(({ kind }) => kind !== 'support')
        .map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }))
    },
    async requestOf(_: Team, job: JobTrace): Promise<Record<string, unknown>> {
      if (job.kind === 'crawl') return (await crawlRequestOf(store, job.id)) ?? {}
      const row = await findJob(store.query, job.id)
      return row ? anyInput.read(row.input) : {}
    },
    async documentOf(_: Team, job: JobTrace): Promise<AnsweredDocument | undefined> {
      const row = await findJob(store.query, job.id)
      const result = row && (await queue.resultOf(row))
      if (!result || result.size > longestDocument) return undefined
      const value = await result.value()
      return typeof value === 'object' && value !== null ? (value as AnsweredDocument) : undefined
    },
    async childrenOf(team: Team, job: JobTrace, words: string) {
      const some = (state: 'failed' | 'completed') =>
        listChildren(store.query, { parentId: job.id, state, skip: 0, limit: mostTargets })
      const [failed, completed] = [await some('failed'), await some('completed')]
      const targets = [...failed, ...completed].flatMap(({ target }) => target ?? [])
      const named = namedIn(words, targets)
      const first = (rows: typeof failed, most: number) =>
        rows.toSorted((left, right) => isNamed(right) - isNamed(left)).slice(0, most)
      const isNamed = ({ target }: { target: string | null }) => Number(named.has(target ?? ''))
      const rows = [...first(failed, mostFailed), ...first(completed, mostChildren)]
      return { pages: await Promise.all(rows.map(({ id }) => jobTrace(team, id))), targets }
    },
    async account(team: Team) {
      const { activeJobsInQueue: running, waitingJobsInQueue: waiting } = await queueStatus(bound, team)
      const minute = Math.floor(clock.now() / 60_000)
      return {
        ...{ running, waiting, maxConcurrency: team.concurrency, callsPerMinute: ratePerMinute },
        remainingCredits: await balanceOf(store.query, team.id),
        callsThisMinute: await callsInWindow(store.query, { teamId: team.id, lane: 'work', minute }),
      }
    },
    async searchDocs(question: string) {
      const found = await bound.searchDocs(question, mostSections)
      return found.map(({ pathOrUrl, title, passages, text }) => ({
        ...{ pathOrUrl, title },
        text: (passages[0] ?? text).slice(0, longestPassage),
      }))
    },
  }
}

/** Questions about the service itself. */
export function docsSearchUseCases({ searchDocs, models }: Bound) {
  return {
    searchDocs: (team: Team, request: DocsSearchRequest, signal: AbortSignal) =>
      searchDocumentation({ searchDocs, models }, { team, request }, signal),
  }
}

/** What callers say about the results of their jobs. */
export function feedbackUseCases({ store, clock, feedback }: Bound) {
  const needs = { store, clock, ...feedback }
  return {
    giveFeedback: (team: Team, request: FeedbackRequest) => giveFeedback(needs, team, request),
    giveSearchFeedback: (team: Team, jobId: string, request: SearchFeedbackRequest) =>
      giveFeedback(needs, team, { ...request, endpoint: 'search', jobId }),
    feedback: (team: Team, page: FeedbackQuery) => listTeamFeedback(needs, team, page),
  }
}

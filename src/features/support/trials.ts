import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { JsonText } from '../../platform/json/json.ts'
import { Permits } from '../../platform/permits.ts'
import { startTrace } from '../../platform/trace/trace.ts'
import { balanceOf } from '../../store/credits.ts'
import { sumReservedCredits } from '../../store/jobs/jobs.ts'
import { takeFromDay } from '../../store/rates.ts'
import { type MapRequest, type MapResult, mapRequest } from '../map.ts'
import type { Deps } from '../needs.ts'
import { type ScrapeRequest, scrapeRequest } from '../scrape/schema.ts'
import type { SupportCase } from './support-case.ts'
import { type PlannedTrial, planTrial, refusalOfExploration } from './trial-options.ts'
import type { FixCandidate, Trials, Tried } from './try-fixes.ts'

export interface TrialDeps extends Pick<Deps, 'store' | 'clock'> {
  /** Trials of one team per day. */
  supportTrialsPerDay: number
  /** The most that a scrape can cost. */
  priceOf(request: ScrapeRequest): number
  readOnlyScrape(job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<{ outcome: Outcome<object> }>
  map(job: RunningJob<MapRequest>, signal: AbortSignal): Promise<Outcome<MapResult>>
}

/** Time of one trial. */
const longestTrial = 25_000
const trialPages = 30
const maxTrialPages = 500

/** Trials of all teams that run at the same time in one process, and those that are kept for teams without any. */
const maxTrialsAtOnce = { count: 8, spare: 2 }
const explorationPrice = 1

/**
 * Runs the request of a case once more, with other options. A trial only reads: `planTrial` decides which options it takes
 * over, and `readOnlyScrape` has no means to write. Trials are free, but need the balance of an ordinary call.
 */
export function createTrialRunner(deps: TrialDeps): Trials['run'] {
  const permits = new Permits(maxTrialsAtOnce)
  return (facts, fix, signal) => {
    const plan = planOf(deps, facts, fix)
    if (!plan) return undefined
    return attempted(signal, async () => {
      if ('refused' in plan) return plan
      return permits.run({ team: facts.teamId }, signal, async () => {
        const refused = await refusalOf(deps, facts, plan.price)
        return refused === undefined ? await plan.run(signal) : { refused }
      })
    })
  }
}

type Plan = { price: number; run(signal: AbortSignal): Promise<Tried> } | { refused: string }

/** Undefined: the job cannot be repeated. */
function planOf(deps: TrialDeps, facts: SupportCase, { fix, source }: FixCandidate): Plan | undefined {
  const { job, request } = facts
  const { scrapeOptions, ...besides } = fix
  if (!job?.target || Object.keys({ ...request, ...facts.pageRequest }).length === 0) return undefined
  const again = (stored: Record<string, unknown>, options: Record<string, unknown>) => {
    const url = facts.page?.target ?? job.target ?? ''
    const { allowsActions } = facts
    return planScrape(deps, facts, planTrial({ url, stored, fix: options, source, allowsActions }))
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
    run: (signal) => exploreAgain(deps, { facts, fix, signal }),
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The reason why the team gets no trial now; undefined if it does. */
async function refusalOf(
  deps: TrialDeps,
  { teamId }: SupportCase,
  price: number,
): Promise<string | undefined> {
  const { store, clock, supportTrialsPerDay: most } = deps
  const balance = await balanceOf(store.query, teamId)
  if (balance !== null && balance - (await sumReservedCredits(store.query, teamId)) < price)
    return `A trial needs a balance of ${price} credits, and the team has less.`
  if (await takeFromDay(store.query, { teamId, lane: 'support trials', now: clock.now() }, most))
    return undefined
  return `The team has used its ${most} trials of today (SUPPORT_TRIALS_PER_DAY).`
}

function planScrape(deps: TrialDeps, facts: SupportCase, planned: PlannedTrial): Plan {
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
    price: deps.priceOf(parsed.data),
    async run(signal) {
      const { outcome } = await deps.readOnlyScrape(trialJob(facts, parsed.data), signal)
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
  { map }: TrialDeps,
  { facts, fix, signal }: Pick<FixCandidate, 'fix'> & { facts: SupportCase; signal: AbortSignal },
): Promise<Tried> {
  const wanted = merged(facts.request, fix)
  const had = facts.job?.pages?.completed ?? facts.document?.links?.length ?? 0
  // More than were had, or nothing could be seen of a better result.
  const most = Math.min(maxTrialPages, Math.max(trialPages, had * 2))
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
  const outcome = await map(trialJob(facts, parsed.data), signal)
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

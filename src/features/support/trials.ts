import { isObject } from '../../extraction/schema/field-spec.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { JsonText } from '../../platform/json/json.ts'
import { Permits } from '../../platform/permits.ts'
import { startTrace } from '../../platform/trace/trace.ts'
import { getBalance } from '../../store/credits.ts'
import { sumReservedCredits } from '../../store/jobs/jobs.ts'
import { takeFromDay } from '../../store/rates.ts'
import { type MapRequest, type MapResult, mapRequest } from '../map.ts'
import type { Deps } from '../needs.ts'
import { type ScrapeRequest, scrapeRequest } from '../scrape/schema.ts'
import type { SupportCase } from './support-case.ts'
import { type PlannedTrial, planTrial, refusalOfExploration } from './trial-options.ts'
import type { FixCandidate, FixTrial, TrialRunner } from './try-fixes.ts'

export interface TrialDeps extends Pick<Deps, 'store' | 'clock'> {
  supportTrialsPerDay: number
  priceOf(request: ScrapeRequest): number
  readOnlyScrape(job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<{ outcome: Outcome<object> }>
  map(job: RunningJob<MapRequest>, signal: AbortSignal): Promise<Outcome<MapResult>>
}

const maxTrialMs = 25_000
const minTrialPages = 30
const maxTrialPages = 500

const trialConcurrency = { count: 8, spare: 2 }
const explorationPrice = 1

/** A trial is read-only: `planTrial` selects the allowed options, and `readOnlyScrape` cannot write. */
export function createTrialRunner(deps: TrialDeps): TrialRunner['run'] {
  const permits = new Permits(trialConcurrency)
  return (facts, fix, signal) => {
    const plan = planOf(deps, facts, fix)
    if (!plan) return undefined
    return toTrialResult(signal, async () => {
      if ('refused' in plan) return plan
      return permits.run({ team: facts.teamId }, signal, async () => {
        const refusal = await findRefusal(deps, facts, plan.price)
        return refusal === undefined ? await plan.run(signal) : { refused: refusal }
      })
    })
  }
}

type Plan = { price: number; run(signal: AbortSignal): Promise<FixTrial> } | { refused: string }

function planOf(deps: TrialDeps, facts: SupportCase, { fix, source }: FixCandidate): Plan | undefined {
  const { job, request, allowsActions } = facts
  const { scrapeOptions, ...crawlOptions } = fix
  if (!job?.target || Object.keys({ ...request, ...facts.pageRequest }).length === 0) return undefined
  const url = facts.page?.target ?? job.target
  const planAgain = (stored: Record<string, unknown>, options: Record<string, unknown>) =>
    planScrape(deps, facts, planTrial({ url, stored, fix: options, source, allowsActions }))
  const pageOptions = { ...Object(request.scrapeOptions), ...facts.pageRequest }
  if (job.kind === 'scrape') return planAgain(request, fix)
  if (job.kind === 'batch_scrape') return planAgain(pageOptions, fix)
  if (job.kind !== 'crawl' && job.kind !== 'map') return undefined
  const refusal = refusalOfExploration(crawlOptions)
  if (refusal !== undefined) return { refused: refusal }
  if (job.kind === 'crawl' && isObject(scrapeOptions)) return planAgain(pageOptions, scrapeOptions)
  return { price: explorationPrice, run: (signal) => exploreAgain(deps, { facts, fix, signal }) }
}

async function findRefusal(
  deps: TrialDeps,
  { teamId }: SupportCase,
  price: number,
): Promise<string | undefined> {
  const { store, clock, supportTrialsPerDay: maxPerDay } = deps
  const balance = await getBalance(store.query, teamId)
  if (balance !== null && balance - (await sumReservedCredits(store.query, teamId)) < price)
    return `A trial needs a balance of ${price} credits, and the team has less.`
  if (await takeFromDay(store.query, { teamId, lane: 'support trials', now: clock.now() }, maxPerDay))
    return undefined
  return `The team has used its ${maxPerDay} trials of today (SUPPORT_TRIALS_PER_DAY).`
}

function planScrape(deps: TrialDeps, facts: SupportCase, trial: PlannedTrial): Plan {
  if ('refused' in trial) return trial
  const { request, actions, notes } = trial
  const timeout = Math.min(
    Number(request.timeout ?? maxTrialMs),
    Math.max(maxTrialMs, Number(request.waitFor ?? 0) + 10_000),
  )
  const parsed = scrapeRequest.safeParse({ ...request, timeout: Math.max(1000, timeout) })
  if (!parsed.success) return { refused: 'The options do not fit together.' }
  const effects = [
    ...notes,
    ...(actions.length > 0 ? [`with the actions ${actions.join(', ')} on the site`] : []),
  ]
  return {
    price: deps.priceOf(parsed.data),
    async run(signal) {
      const { outcome } = await deps.readOnlyScrape(trialJob(facts, parsed.data), signal)
      if ('error' in outcome) return { error: outcome.error, effects }
      const { markdown, json } = outcome.result as { markdown?: unknown; json?: unknown }
      return {
        effects,
        markdown: await toText(markdown),
        ...(json === undefined ? {} : { json: await parseValue(json) }),
      }
    },
  }
}

async function exploreAgain(
  { map }: TrialDeps,
  { facts, fix, signal }: Pick<FixCandidate, 'fix'> & { facts: SupportCase; signal: AbortSignal },
): Promise<FixTrial> {
  // A value of null removes the option.
  const options = Object.fromEntries(
    Object.entries({ ...facts.request, ...fix }).filter(([, value]) => value !== null),
  )
  const pageCount = facts.job?.pages?.completed ?? facts.document?.links?.length ?? 0
  // The limit must exceed the previous page count, so that an improvement is visible.
  const limit = Math.min(maxTrialPages, Math.max(minTrialPages, pageCount * 2))
  const parsed = mapRequest.safeParse({
    url: facts.job?.target,
    limit: Math.min(limit, Number(options.limit ?? limit)),
    // A crawl with depth 0 follows no links.
    sitemap: options.maxDiscoveryDepth === 0 ? 'only' : (options.sitemap ?? 'include'),
    includeSubdomains: options.allowSubdomains ?? options.includeSubdomains ?? false,
    allowExternalLinks: options.allowExternalLinks ?? false,
    filterByPath: options.filterByPath ?? !(options.crawlEntireDomain ?? false),
    ignoreQueryParameters: options.ignoreQueryParameters ?? false,
    includePaths: options.includePaths ?? [],
    excludePaths: options.excludePaths ?? [],
    timeout: maxTrialMs,
    ignoreCache: true,
  })
  if (!parsed.success) throw new AppError('BAD_REQUEST')
  const outcome = await map(trialJob(facts, parsed.data), signal)
  return 'error' in outcome ? { error: outcome.error } : { pages: outcome.result.links.length }
}

function trialJob<Input>({ teamId }: SupportCase, input: Input): RunningJob<Input> {
  return {
    ...{ id: newId(), teamId, parentId: null, keyId: null, isBackground: false, input },
    ...{ waitedMs: undefined, spentMs: 0, yieldToForeground: async () => {}, trace: startTrace() },
  }
}

async function toTrialResult(signal: AbortSignal, work: () => Promise<FixTrial>): Promise<FixTrial> {
  try {
    return await work()
  } catch (thrown) {
    if (signal.aborted) return { refused: 'the time of the question was over.' }
    return { error: toAppError(thrown) }
  }
}

const parseValue = async (value: unknown) => (value instanceof JsonText ? value.value() : value)

async function toText(markdown: unknown): Promise<string> {
  const text = await parseValue(markdown)
  return typeof text === 'string' ? text : ''
}

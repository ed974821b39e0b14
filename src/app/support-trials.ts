import { AppError, toAppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { JsonText } from '../base/json-text.ts'
import { startTrace } from '../base/trace/trace.ts'
import { mapRequest } from '../features/map.ts'
import { scrapeRequest } from '../features/scrape/schema.ts'
import type { SupportCase } from '../features/support/support-case.ts'
import type { Tried } from '../features/support/try-fixes.ts'
import type { RunningJob } from '../jobs/job.ts'
import type { Bound } from './needs.ts'

/** Time of one trial. */
const longestTrial = 25_000
const trialPages = 30
const mostTrialPages = 500

/** Runs the request of a case once more, with other options. Nothing of it is kept or charged. */
export function supportTrials({ kinds }: Pick<Bound, 'kinds'>) {
  return (
    facts: SupportCase,
    fix: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Tried> | undefined => {
    const { job, request } = facts
    const { scrapeOptions } = fix
    if (!job?.target || Object.keys({ ...request, ...facts.pageRequest }).length === 0) return undefined
    if (job.kind === 'scrape') return attempted(() => scrapeAgain(kinds, { facts, fix, signal }))
    if (job.kind === 'batch_scrape')
      return attempted(() => scrapeAgain(kinds, { ...ofPage(facts, fix), signal }))
    if (job.kind === 'crawl' && isObject(scrapeOptions))
      return attempted(() => scrapeAgain(kinds, { ...ofPage(facts, scrapeOptions), signal }))
    if (job.kind === 'crawl' || job.kind === 'map')
      return attempted(() => exploreAgain(kinds, { facts, fix, signal }))
    return undefined
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The page of a crawl or a batch that says most, or its start, with options for its pages. */
function ofPage(facts: SupportCase, fix: Record<string, unknown>): Omit<Again, 'signal'> {
  const url = facts.page?.target ?? facts.job?.target
  const options = isObject(facts.request.scrapeOptions) ? facts.request.scrapeOptions : {}
  return { facts: { ...facts, request: { ...options, ...facts.pageRequest, url } }, fix }
}

interface Again {
  facts: SupportCase
  fix: Record<string, unknown>
  signal: AbortSignal
}

async function scrapeAgain(kinds: Bound['kinds'], { facts, fix, signal }: Again): Promise<Tried> {
  const { headerNames: _, crawl: __, zeroDataRetention: ___, isGathered: ____, ...request } = facts.request
  const wanted = merged({ ...request, maxAge: 0, storeInCache: false }, fix)
  const timeout = Math.min(
    Number(wanted.timeout ?? longestTrial),
    Math.max(longestTrial, Number(wanted.waitFor ?? 0) + 10_000),
  )
  const parsed = scrapeRequest.safeParse({ ...wanted, timeout: Math.max(1000, timeout) })
  if (!parsed.success) throw new AppError('BAD_REQUEST')
  const outcome = await kinds.scrape.run(trialJob(facts, parsed.data), signal)
  if ('error' in outcome) return { error: outcome.error }
  const { markdown, json } = outcome.result as { markdown?: unknown; json?: unknown }
  return { markdown: await textOf(markdown), ...(json === undefined ? {} : { json: await parsedOf(json) }) }
}

async function exploreAgain(kinds: Bound['kinds'], { facts, fix, signal }: Again): Promise<Tried> {
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

async function attempted(work: () => Promise<Tried>): Promise<Tried> {
  try {
    return await work()
  } catch (thrown) {
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

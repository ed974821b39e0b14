import type { Team } from '../../accounts/team.ts'
import { assertParentOptions } from '../../features/parent-status.ts'
import { maxPrice, throwIfImpossible } from '../../features/scrape/plan.ts'
import { type ScrapeRequest, scrapeRequest } from '../../features/scrape/schema.ts'
import type { DeveloperRequest } from '../../features/search/developer-schema.ts'
import { readPaper } from '../../features/search/research.ts'
import { lookUpPrice, researchTime, resultPrice } from '../../features/search/research-jobs.ts'
import type {
  GithubRequest,
  PaperRequest,
  PaperResponse,
  PapersRequest,
  SimilarRequest,
} from '../../features/search/research-schema.ts'
import {
  type RawSearchRequest,
  type SearchData,
  type SearchRequest,
  type SearchResult,
  withoutUnavailableSources,
} from '../../features/search/schema.ts'
import { scrapeInput, scrapeResults, urlsOf } from '../../features/search/scrape-results.ts'
import { isPrivate, maxSearchPrice, type SearchFindings, searchTime } from '../../features/search/search.ts'
import type { JobKind } from '../../jobs/job.ts'
import { derivedKey, toValue } from '../../jobs/run-once.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { listLeaves } from '../../store/jobs/child-jobs.ts'
import { findIdempotencyUse } from '../../store/jobs/idempotency.ts'
import type { UseCaseDeps, WaitingCaller } from './needs.ts'

const dayMs = 24 * 3600_000

export function searchUseCases(useCaseDeps: UseCaseDeps) {
  return {
    async search(team: Team, rawRequest: RawSearchRequest, caller: WaitingCaller): Promise<SearchResult> {
      const { request, notes } = withoutUnavailableSources(rawRequest)
      assertAllowed(team, request)
      const { clock, kinds, runOnce } = useCaseDeps
      const timeoutMs = searchTime(request)
      const deadlineAt = clock.now() + timeoutMs
      const { id, data, creditsUsed, warnings }: SearchFindings = await toValue(
        await runOnce(
          kinds.search,
          {
            ...{ team, input: request, target: request.query, origin: request.origin },
            ...{ retain: !isPrivate(request), deadlineAt, price: maxSearchPrice(request) },
          },
          { timeoutMs, ...caller },
        ),
      )
      const messages = [...notes, ...warnings]
      const warning = messages.length === 0 ? {} : { warning: messages.join(' ') }
      const response = { id, data, creditsUsed, ...warning }
      if (!request.scrapeOptions?.formats.length) return response
      if (request.asyncScraping)
        return { ...response, scrapeIds: await scrapeLater(useCaseDeps, { team, request, data }, caller) }
      const scraped = await scrapeNow(useCaseDeps, { team, request, data, deadlineAt }, caller)
      // If the call was aborted, scrapes that it cut off must not look like failed pages.
      caller.signal.throwIfAborted()
      return { ...response, data: scraped.data, creditsUsed: creditsUsed + scraped.credits }
    },
  }
}

function assertAllowed(team: Team, request: SearchRequest): void {
  if (isPrivate(request) && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
  const input = scrapeInput(request, { url: 'https://example.com/', zeroDataRetention: isPrivate(request) })
  if (!input) return
  throwIfImpossible(input)
  // Checked like batch pages, because the scrapes run concurrently.
  assertParentOptions({ zeroDataRetention: false }, input)
  if (request.asyncScraping && isPrivate(request)) {
    const message =
      'The results of asyncScraping are kept to be read, which zdr and anon forbid. Remove one of them.'
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'asyncScraping' }, { message })
  }
}

function scrapeNow(
  { clock, kinds, runOnce, hasEnhancedProxy }: UseCaseDeps,
  call: { team: Team; request: SearchRequest; data: SearchData; deadlineAt: number },
  { signal, idempotencyKey }: WaitingCaller,
) {
  const { team, request, data, deadlineAt } = call
  const retain = !isPrivate(request)
  return scrapeResults({
    ...{ request, data, zeroDataRetention: !retain },
    remaining: () => deadlineAt - clock.now(),
    scrape: async (input, timeoutMs) => {
      const jobRequest = {
        ...{ team, input, target: input.url, origin: input.origin, retain },
        ...{ deadlineAt: clock.now() + timeoutMs, price: maxPrice(input, hasEnhancedProxy) },
      }
      // The key contains the URL, which a private search must not store.
      const key = retain ? derivedKey(idempotencyKey, input.url) : undefined
      // `identity` is null, because the timeout is the rest of the search time and differs in a repeated call.
      const callOptions = { timeoutMs, signal, idempotencyKey: key, identity: null }
      return toValue(await runOnce(kinds.scrape, jobRequest, callOptions))
    },
  })
}

async function scrapeLater(
  useCaseDeps: UseCaseDeps,
  call: { team: Team; request: SearchRequest; data: SearchData },
  caller: WaitingCaller,
): Promise<NonNullable<SearchResult['scrapeIds']>> {
  const { clock, kinds, queue, store, hasEnhancedProxy } = useCaseDeps
  const { team, request, data } = call
  const { idempotencyKey } = caller
  const key = derivedKey(idempotencyKey, 'asyncScraping')
  const used = key === undefined ? undefined : await findIdempotencyUse(store.query, team.id, key)
  const parent = used?.job_id
  const ids = parent
    ? new Map((await listLeaves(store.query, parent)).map(({ id, target }) => [target ?? '', id]))
    : new Map(urlsOf(data).map((url) => [url, newId()]))
  const shared = { team, origin: request.origin, retain: true, deadlineAt: clock.now() + 2 * dayMs }
  const requests = [...ids].flatMap(([url, id]) => {
    const input = scrapeInput(request, { url, zeroDataRetention: false })
    return input ? [{ ...shared, id, input, target: url, price: maxPrice(input, hasEnhancedProxy) }] : []
  })
  if (!parent && requests.length > 0) {
    const batch = {
      kind: 'batch_scrape' as const,
      request: { ...shared, input: { urls: requests.length }, target: requests[0]?.target ?? null, price: 0 },
      children: { kind: kinds.scrape, requests },
      idempotencyKey: key,
      maxActive: 4 * team.concurrency,
    }
    try {
      await queue.submitParent<ScrapeRequest>(batch)
    } catch (thrown) {
      // A concurrent retry of the call has created the batch already; now it can be found.
      if (toAppError(thrown).code !== 'IDEMPOTENCY_KEY_REUSED') throw thrown
      return scrapeLater(useCaseDeps, call, caller)
    }
  }
  const idsOf = (results: { url: string }[]) => results.flatMap(({ url }) => ids.get(url) ?? [])
  return {
    ...(data.web ? { web: idsOf(data.web) } : {}),
    ...(data.news ? { news: idsOf(data.news) } : {}),
  }
}

export function researchUseCases({ clock, kinds, runOnce, hasEnhancedProxy }: UseCaseDeps) {
  const run = async <Request extends { origin?: string | undefined }, Result>(
    kind: JobKind<Request, Result>,
    call: { team: Team; input: Request; target: string; price: number },
    caller: WaitingCaller,
  ) => {
    const jobRequest = {
      ...call,
      origin: call.input.origin,
      retain: true,
      deadlineAt: clock.now() + researchTime,
    }
    return toValue(await runOnce(kind, jobRequest, { timeoutMs: researchTime, ...caller }))
  }
  return {
    searchPapers: (team: Team, input: PapersRequest, caller: WaitingCaller) =>
      run(kinds.papers, { team, input, target: input.query, price: resultPrice(input.k) }, caller),
    async getPaper(team: Team, input: PaperRequest, caller: WaitingCaller): Promise<PaperResponse> {
      const paper = await run(kinds.paper, { team, input, target: input.id, price: lookUpPrice }, caller)
      const { query, k, origin } = input
      if (query === undefined) return paper
      // Scraped after the first job, not inside it: it would wait for a second slot while holding one.
      const scrape = (url: string) => {
        const input = scrapeRequest.parse({ url, formats: ['markdown'], timeout: researchTime, origin })
        const call = { team, input, target: url, price: maxPrice(input, hasEnhancedProxy) }
        const idempotencyKey = derivedKey(caller.idempotencyKey, url)
        return run(kinds.scrape, call, { ...caller, idempotencyKey })
      }
      return readPaper(scrape, paper, { query, k })
    },
    similarPapers: (team: Team, input: SimilarRequest, caller: WaitingCaller) =>
      run(kinds.similarPapers, { team, input, target: input.id, price: resultPrice(input.k) }, caller),
    searchResearchGithub: (team: Team, input: GithubRequest, caller: WaitingCaller) =>
      run(kinds.researchGithub, { team, input, target: input.query, price: resultPrice(input.k) }, caller),
    searchDeveloper: (team: Team, input: DeveloperRequest, caller: WaitingCaller) =>
      run(kinds.developerSearch, { team, input, target: input.query, price: resultPrice(input.k) }, caller),
  }
}

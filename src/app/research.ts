import type { Team } from '../accounts/team.ts'
import { mostPrice } from '../features/scrape/price.ts'
import { scrapeRequest } from '../features/scrape/schema.ts'
import type { DeveloperRequest } from '../features/search/developer-schema.ts'
import { readPaper } from '../features/search/read-paper.ts'
import type {
  GithubRequest,
  PaperAnswer,
  PaperRequest,
  PapersRequest,
  SimilarRequest,
} from '../features/search/research-schema.ts'
import type { JobKind } from '../jobs/job.ts'
import type { Bound } from './needs.ts'
import { lookUpPrice, researchTime, resultPrice } from './research-kinds.ts'

/** Searches of papers and of code, each a job whose caller waits. */
export function researchUseCases(bound: Pick<Bound, 'clock' | 'kinds' | 'runNow' | 'hasEnhancedProxy'>) {
  const { clock, kinds, runNow } = bound
  const run = <Request extends { origin?: string | undefined }, Answer>(
    kind: JobKind<Request, Answer>,
    call: { team: Team; input: Request; target: string; price: number },
    signal: AbortSignal,
  ) => {
    const order = { ...call, origin: call.input.origin, retain: true, deadlineAt: clock.now() + researchTime }
    return runNow(kind, order, { timeoutMs: researchTime, signal })
  }
  return {
    searchPapers: (team: Team, input: PapersRequest, signal: AbortSignal) =>
      run(kinds.papers, { team, input, target: input.query, price: resultPrice(input.k) }, signal),
    async getPaper(team: Team, input: PaperRequest, signal: AbortSignal): Promise<PaperAnswer> {
      const found = await run(kinds.paper, { team, input, target: input.id, price: lookUpPrice }, signal)
      const { query, k, origin } = input
      if (query === undefined) return found
      // After that job, not inside it: it would wait for a second slot while it holds one.
      const scrape = (url: string) => scrapeText(bound, { team, url, origin }, signal)
      return readPaper(scrape, found, { query, k })
    },
    similarPapers: (team: Team, input: SimilarRequest, signal: AbortSignal) =>
      run(kinds.similarPapers, { team, input, target: input.id, price: resultPrice(input.k) }, signal),
    searchResearchGithub: (team: Team, input: GithubRequest, signal: AbortSignal) =>
      run(kinds.researchGithub, { team, input, target: input.query, price: resultPrice(input.k) }, signal),
    searchDeveloper: (team: Team, input: DeveloperRequest, signal: AbortSignal) =>
      run(kinds.developerSearch, { team, input, target: input.query, price: resultPrice(input.k) }, signal),
  }
}

/** A scrape of its own: it takes a slot of the team, is charged, and comes from the cache where it can. */
function scrapeText(
  { clock, kinds, runNow, hasEnhancedProxy }: Pick<Bound, 'clock' | 'kinds' | 'runNow' | 'hasEnhancedProxy'>,
  { team, url, origin }: { team: Team; url: string; origin: string | undefined },
  signal: AbortSignal,
) {
  const input = scrapeRequest.parse({ url, formats: ['markdown'], timeout: researchTime, origin })
  const order = {
    ...{ team, input, target: url, origin, retain: true },
    ...{ deadlineAt: clock.now() + researchTime, price: mostPrice(input, hasEnhancedProxy) },
  }
  return runNow(kinds.scrape, order, { timeoutMs: researchTime, signal })
}

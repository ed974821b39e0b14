import type { Team } from '../../accounts/team.ts'
import { maxPrice } from '../../features/scrape/plan.ts'
import { scrapeRequest } from '../../features/scrape/schema.ts'
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
import type { JobKind } from '../../jobs/job.ts'
import { derivedKey, toValue } from '../../jobs/run-once.ts'
import type { UseCaseDeps, WaitingCaller } from './needs.ts'

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

import type { Team } from '../../accounts/team.ts'
import { crawlRequestOf } from '../../features/crawl/crawl-summary.ts'
import { type DocsSearchRequest, searchDocumentation } from '../../features/docs-search/docs-search.ts'
import { giveFeedback, listTeamFeedback } from '../../features/feedback/feedback.ts'
import type { SearchFeedbackRequest } from '../../features/feedback/schema.ts'
import { maxPrice } from '../../features/scrape/plan.ts'
import type { ScrapeRequest } from '../../features/scrape/schema.ts'
import { ask } from '../../features/support/ask.ts'
import { caseReaders } from '../../features/support/read-case.ts'
import type { SupportAnswer, SupportQuestion } from '../../features/support/schema.ts'
import { createTrialRunner } from '../../features/support/trials.ts'
import { queueStatus } from '../../features/usage.ts'
import { defineJob } from '../../jobs/job.ts'
import { bindAll, type UseCaseDeps } from './needs.ts'
import type { recordUseCases } from './records.ts'

export function supportUseCases(
  useCaseDeps: UseCaseDeps & Pick<ReturnType<typeof recordUseCases>, 'jobTrace'>,
) {
  const { store, clock, feedback, kinds, hasEnhancedProxy } = useCaseDeps
  const feedbackDeps = { store, clock, ...feedback }
  const readerDeps = {
    ...useCaseDeps,
    crawlRequestOf,
    queueStatus: (team: Team) => queueStatus(useCaseDeps, team),
  }
  const trialDeps = {
    ...useCaseDeps,
    readOnlyScrape: kinds.readOnlyScrape,
    map: kinds.map.run,
    priceOf: (request: ScrapeRequest) => maxPrice(request, hasEnhancedProxy),
  }
  const deps = {
    ...useCaseDeps,
    ...caseReaders(readerDeps),
    run: createTrialRunner(trialDeps),
    budgetMs: useCaseDeps.supportMs,
  }
  const kind = (team: Team) =>
    defineJob<SupportQuestion, SupportAnswer>({
      kind: 'support',
      takesSlot: true,
      toRecordedInput: ({ question, jobId }) => ({ question, jobId }),
      run: async (job, signal) => ({ credits: 0, result: await ask(deps, team, job.input, signal) }),
    })
  return {
    askSupport(team: Team, question: SupportQuestion, signal: AbortSignal): Promise<SupportAnswer> {
      const jobRequest = {
        ...{ team, input: question, target: question.jobId ?? null },
        ...{ origin: undefined, retain: true, price: 0 },
        deadlineAt: useCaseDeps.clock.now() + useCaseDeps.supportMs,
      }
      return useCaseDeps.runNow(kind(team), jobRequest, { timeoutMs: useCaseDeps.supportMs, signal })
    },
    searchDocs: (team: Team, request: DocsSearchRequest, signal: AbortSignal) =>
      searchDocumentation(useCaseDeps, { team, request }, signal),
    ...bindAll(feedbackDeps, { giveFeedback, feedback: listTeamFeedback }),
    giveSearchFeedback: (team: Team, jobId: string, request: SearchFeedbackRequest) =>
      giveFeedback(feedbackDeps, team, { ...request, endpoint: 'search', jobId }),
  }
}

import type { Team } from '../../accounts/team.ts'
import { type DocsSearchRequest, searchDocumentation } from '../../features/docs-search/docs-search.ts'
import { giveFeedback, listTeamFeedback } from '../../features/feedback/feedback.ts'
import type { SearchFeedbackRequest } from '../../features/feedback/schema.ts'
import { ask } from '../../features/support/ask.ts'
import { caseReaders } from '../../features/support/read-case.ts'
import type { SupportAnswer, SupportQuestion } from '../../features/support/schema.ts'
import { createTrialRunner } from '../../features/support/trials.ts'
import { defineJob } from '../../jobs/job.ts'
import { bindAll, type UseCaseDeps } from './needs.ts'
import type { recordUseCases } from './records.ts'

export function supportUseCases(
  useCaseDeps: UseCaseDeps & Pick<ReturnType<typeof recordUseCases>, 'jobTrace'>,
) {
  const { store, clock, feedback } = useCaseDeps
  const feedbackDeps = { store, clock, ...feedback }
  const deps = {
    ...useCaseDeps,
    ...caseReaders(useCaseDeps),
    run: createTrialRunner(useCaseDeps),
    budgetMs: useCaseDeps.supportMs,
  }
  const kind = (team: Team) =>
    defineJob<SupportQuestion, SupportAnswer>({
      kind: 'support',
      takesSlot: true,
      onRecord: ({ question, jobId }) => ({ question, jobId }),
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

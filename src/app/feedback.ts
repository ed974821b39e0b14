import type { Team } from '../accounts/team.ts'
import { type FeedbackQuery, giveFeedback, listTeamFeedback } from '../features/feedback/feedback.ts'
import type { FeedbackRequest, SearchFeedbackRequest } from '../features/feedback/schema.ts'
import type { Bound } from './needs.ts'

/** What callers say about the results of their jobs. */
export function feedbackUseCases({ store, clock, feedback }: Pick<Bound, 'store' | 'clock' | 'feedback'>) {
  const needs = { store, clock, ...feedback }
  return {
    giveFeedback: (team: Team, request: FeedbackRequest) => giveFeedback(needs, team, request),
    giveSearchFeedback: (team: Team, jobId: string, request: SearchFeedbackRequest) =>
      giveFeedback(needs, team, { ...request, endpoint: 'search', jobId }),
    feedback: (team: Team, page: FeedbackQuery) => listTeamFeedback(needs, team, page),
  }
}

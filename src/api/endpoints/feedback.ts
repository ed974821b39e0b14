import { z } from 'zod'
import {
  feedbackEndpoints,
  feedbackEntry,
  feedbackRequest,
  feedbackResponse,
  ratings,
  searchFeedbackRequest,
} from '../../features/feedback/schema.ts'
import type { AppError, ErrorCode } from '../../platform/errors.ts'
import { endpointsOf, envelope, integerInQuery, jobId, ok, okPage, pageOf } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Feedback' })
const response = envelope(feedbackResponse.shape)
const feedbackErrors: ErrorCode[] = ['JOB_NOT_FOUND', 'FEEDBACK_WINDOW_EXPIRED', 'FEEDBACK_ON_FAILED_JOB']

/** Error names that clients of these routes expect. */
const errorNames: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'INVALID_BODY',
  BAD_REQUEST_INVALID_JSON: 'INVALID_BODY',
  INVALID_JOB_ID: 'INVALID_BODY',
  UNSUPPORTED_MEDIA_TYPE: 'INVALID_BODY',
  REQUEST_TOO_LARGE: 'INVALID_BODY',
  JOB_NOT_FOUND: 'JOB_NOT_FOUND',
  FEEDBACK_WINDOW_EXPIRED: 'FEEDBACK_WINDOW_EXPIRED',
  FEEDBACK_ON_FAILED_JOB: 'SEARCH_FAILED',
  STORE_UNAVAILABLE: 'DB_DISABLED',
  INTERNAL: 'INTERNAL',
}

function createErrorFields(overrides: typeof errorNames = {}) {
  return ({ code }: AppError) => {
    const feedbackErrorCode = overrides[code] ?? errorNames[code]
    return feedbackErrorCode === undefined ? {} : { feedbackErrorCode }
  }
}

export const postSearchFeedback = defineEndpoint({
  method: 'POST',
  path: '/v2/search/{id}/feedback',
  summary: 'Rate the results of a search; the first feedback refunds a credit',
  params: jobId,
  body: searchFeedbackRequest,
  response,
  errors: ['INVALID_JOB_ID', ...feedbackErrors],
  errorFields: createErrorFields({ JOB_NOT_FOUND: 'SEARCH_NOT_FOUND' }),
  handle: async ({ app, team, params, body }) => ok(await app.giveSearchFeedback(team, params.id, body)),
})

export const postFeedback = defineEndpoint({
  method: 'POST',
  path: '/v2/feedback',
  summary: 'Rate the result of a job',
  body: feedbackRequest,
  response,
  errors: feedbackErrors,
  errorFields: createErrorFields(),
  handle: async ({ app, team, body }) => ok(await app.giveFeedback(team, body)),
})

export const getFeedback = defineEndpoint({
  method: 'GET',
  path: '/v2/feedback',
  summary: 'List the feedback of the team, newest first',
  query: z.object({
    endpoint: z.enum(feedbackEndpoints).optional().describe('Only feedback on jobs of this kind.'),
    rating: z.enum(ratings).optional(),
    jobId: z.uuid().optional().describe('Only feedback on this job.'),
    limit: integerInQuery(1, 100).default(50),
    cursor: z.uuid().optional().describe('Cursor of the previous page.'),
  }),
  response: pageOf(feedbackEntry.meta({ id: 'Feedback' })),
  async handle({ app, team, query }) {
    const { data, cursor } = await app.feedback(team, query)
    return okPage(data, cursor)
  },
})

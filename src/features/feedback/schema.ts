import { z } from 'zod'
import { anyObject, boundedList, boundedText } from '../../platform/bounded.ts'
import { callLabels, optionalFlag } from '../scrape/schema.ts'

export const feedbackEndpoints = ['search', 'scrape', 'parse', 'map'] as const
export const ratings = ['good', 'partial', 'bad'] as const

const source = z.strictObject({
  url: boundedText('MAX_URL_LENGTH').min(1).describe('A result that was useful.'),
  reason: boundedText('MAX_FEEDBACK_REASON_LENGTH').optional(),
})
const missing = z.strictObject({
  topic: boundedText('MAX_FEEDBACK_TOPIC_LENGTH').min(1).describe('Expected but missing result.'),
  description: boundedText('MAX_FEEDBACK_TEXT_LENGTH').optional(),
})
const tagMessage = 'has lower-case letters, digits, _ and - only'
const tag = boundedText('MAX_FEEDBACK_TAG_LENGTH').regex(/^[a-z0-9_-]+$/, tagMessage)
const tags = boundedList(tag, 'MAX_FEEDBACK_TAGS')

const commonFields = {
  rating: z.enum(ratings),
  valuableSources: boundedList(source, 'MAX_FEEDBACK_SOURCES').optional(),
  valuableResultPositions: boundedList(z.int().min(1), 'MAX_FEEDBACK_SOURCES')
    .optional()
    .describe('The same by position in the list of results.'),
  missingContent: boundedList(missing, 'MAX_FEEDBACK_TOPICS').optional(),
  querySuggestions: boundedText('MAX_FEEDBACK_TEXT_LENGTH')
    .optional()
    .describe('Suggested change of the query.'),
  ...callLabels,
}

export const searchFeedbackRequest = z
  .strictObject(commonFields)
  .superRefine(requireDetails)
  .meta({ id: 'SearchFeedbackRequest' })

export const feedbackRequest = z
  .strictObject({
    endpoint: z.enum(feedbackEndpoints).describe('Kind of the job.'),
    jobId: z.uuid().describe('Id of the job.'),
    ...commonFields,
    issues: tags.optional().describe('Short names of the problems: missing_markdown.'),
    tags: tags.optional(),
    note: boundedText('MAX_FEEDBACK_NOTE_LENGTH').optional(),
    url: boundedText('MAX_URL_LENGTH').optional().describe('URL of the page.'),
    pageNumbers: boundedList(z.int().min(1), 'MAX_FEEDBACK_PAGES')
      .optional()
      .describe('Pages of a document.'),
    metadata: anyObject('MAX_FEEDBACK_METADATA_BYTES').optional(),
  })
  .superRefine((request, context) => {
    if (request.endpoint === 'search') requireDetails(request, context)
  })
  .meta({ id: 'FeedbackRequest' })

export type SearchFeedbackRequest = z.output<typeof searchFeedbackRequest>
export type FeedbackRequest = z.output<typeof feedbackRequest>

export const feedbackResponse = z.object({
  feedbackId: z.string(),
  creditsRefunded: z
    .int()
    .describe('Credits that this request refunded: 1 for the first feedback on a search.'),
  alreadySubmitted: optionalFlag('True if the job already had feedback, which stays unchanged.'),
  dailyCapReached: optionalFlag('True if the daily limit of refunds is reached.'),
  creditsRefundedToday: z.int().optional(),
  dailyRefundCap: z.int().optional().describe('Maximum refunds per day (TEAM_DAILY_REFUNDS).'),
  warning: z.string().optional(),
})

export type FeedbackResponse = z.output<typeof feedbackResponse>

/** Stored fields of a request besides the rating. The same schema reads them again. */
export const feedbackContent = z.object({
  valuableSources: z.array(z.object(source.shape)).optional(),
  valuableResultPositions: z.array(z.int()).optional(),
  missingContent: z.array(z.object(missing.shape)).optional(),
  querySuggestions: z.string().optional(),
  issues: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  note: z.string().optional(),
  url: z.string().optional(),
  pageNumbers: z.array(z.int()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  origin: z.string().optional(),
  integration: z.string().nullish(),
})

export const feedbackEntry = z.object({
  feedbackId: z.string(),
  jobId: z.string(),
  endpoint: z.string(),
  rating: z.string(),
  creditsRefunded: z.int(),
  createdAt: z.string(),
  ...feedbackContent.shape,
})

export type FeedbackEntry = z.output<typeof feedbackEntry>

/** Requires details for a rating, because a rating alone does not show what to change. */
function requireDetails(request: z.output<z.ZodObject<typeof commonFields>>, context: z.RefinementCtx): void {
  const { rating, valuableSources = [], valuableResultPositions = [], missingContent = [] } = request
  const hasSource = valuableSources.length > 0 || valuableResultPositions.length > 0
  const hasMissing = missingContent.length > 0
  const hasSuggestion = (request.querySuggestions ?? '').trim() !== ''
  const addProblem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (rating === 'good' && !hasSource)
    addProblem('valuableSources', 'The rating good needs an entry in valuableSources.')
  if (rating === 'partial' && !hasSource && !hasMissing)
    addProblem('missingContent', 'The rating partial needs an entry in valuableSources or in missingContent.')
  if (rating === 'bad' && !hasMissing && !hasSuggestion)
    addProblem('missingContent', 'The rating bad needs an entry in missingContent, or querySuggestions.')
}

import { z } from 'zod'
import { anyObject, text } from '../../platform/bounded.ts'
import { flag } from '../scrape/schema.ts'

export const supportQuestion = z
  .strictObject({
    question: text('MAX_SUPPORT_QUESTION_LENGTH').min(1).describe('What went wrong, or what is to be known.'),
    rationale: text('MAX_RATIONALE_LENGTH')
      .min(1)
      .optional()
      .describe('What the end user wants to reach, in one or two sentences.'),
    jobId: text('MAX_ID_LENGTH').optional().describe('The job that the question is about.'),
    context: anyObject('MAX_CONTEXT_BYTES')
      .optional()
      .describe('Anything else that is known: the request, the error, what was tried.'),
    allowActions: flag(
      false,
      'Lets trials repeat the actions of the job and try clicks. They have effects on the site each time: a form is submitted again. Without it, a job with such actions is not repeated.',
    ),
  })
  .meta({ id: 'SupportQuestion' })

export type SupportQuestion = z.output<typeof supportQuestion>

const answerFields = {
  requestId: z.string(),
  answer: z.string().describe('Two to four sentences: diagnosis and remedy.'),
  confidence: z.enum(['high', 'medium', 'low']),
  cause: z.string().nullable().describe('The name of the cause; null where none was found.'),
  fixParameters: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Options that mend it, to be merged into the request.'),
  validation: z
    .object({
      tested: z.boolean(),
      result: z.enum(['success', 'failure', 'skipped']),
      evidence: z
        .string()
        .describe('The options of each trial, what they brought, and what the trials did on the site.'),
    })
    .nullable(),
  feedback: z
    .object({ blockedBy: z.string(), attempted: z.array(z.string()) })
    .nullable()
    .describe('Where the agent is stuck: what blocks it, and what it tried.'),
  jobId: z.string().nullable().describe('The job that was looked at.'),
  durationMs: z.int(),
}

export const supportAnswer = z.object(answerFields).meta({ id: 'SupportAnswer' })

export type SupportAnswer = z.output<typeof supportAnswer>

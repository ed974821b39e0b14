import { z } from 'zod'
import { anyObject, boundedText } from '../../platform/bounded.ts'
import { flag } from '../scrape/schema.ts'

export const supportQuestion = z
  .strictObject({
    question: boundedText('MAX_SUPPORT_QUESTION_LENGTH').min(1).describe('Problem or question.'),
    rationale: boundedText('MAX_RATIONALE_LENGTH')
      .min(1)
      .optional()
      .describe('Goal of the end user, in one or two sentences.'),
    jobId: boundedText('MAX_ID_LENGTH').optional().describe('Id of the job that the question is about.'),
    context: anyObject('MAX_CONTEXT_BYTES')
      .optional()
      .describe('Additional context: the request, the error, attempted fixes.'),
    allowActions: flag(
      false,
      'Lets trials repeat the actions of the job and try clicks, each time with effects on the site: a form is submitted again. Without it, a job with such actions is not repeated.',
    ),
  })
  .meta({ id: 'SupportQuestion' })

export type SupportQuestion = z.output<typeof supportQuestion>

export const supportAnswer = z
  .object({
    requestId: z.string(),
    answer: z.string().describe('Diagnosis and fix in two to four sentences.'),
    confidence: z.enum(['high', 'medium', 'low']),
    cause: z.string().nullable().describe('Name of the cause; null if none was found.'),
    fixParameters: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Options that fix the problem, to be merged into the request.'),
    validation: z
      .object({
        tested: z.boolean(),
        result: z.enum(['success', 'failure', 'skipped']),
        evidence: z.string().describe('Options and result of each trial, and its effects on the site.'),
      })
      .nullable(),
    feedback: z
      .object({ blockedBy: z.string(), attempted: z.array(z.string()) })
      .nullable()
      .describe('Problem to solve: symptoms and attempted fixes.'),
    jobId: z.string().nullable().describe('Id of the diagnosed job.'),
    durationMs: z.int(),
  })
  .meta({ id: 'SupportAnswer' })

export type SupportAnswer = z.output<typeof supportAnswer>

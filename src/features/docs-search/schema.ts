import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { callLabels } from '../scrape/schema.ts'

export const docsSearchRequest = z
  .strictObject({
    question: text('MAX_SUPPORT_QUESTION_LENGTH').trim().min(1).describe('A question about this service.'),
    ...callLabels,
  })
  .meta({ id: 'DocsSearchRequest' })

export type DocsSearchRequest = z.output<typeof docsSearchRequest>

export const docsSearchAnswer = z.object({
  requestId: z.string(),
  answer: z
    .string()
    .describe(
      'Sentences of the documentation that answer, each with its place; by a language model, if there is one.',
    ),
  evidence: z
    .array(
      z.object({
        pathOrUrl: z
          .string()
          .describe('A file of the repository and the place in it: docs/search.md#the-query.'),
        reason: z.string().describe('What the section is, and what it has of the question.'),
      }),
    )
    .describe('Sections that answer, the best first; empty if the documentation says nothing about it.'),
  usage: z
    .object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() })
    .describe('Tokens of the language model; zeros without one.'),
  durationMs: z.int(),
  warning: z.string().optional(),
})

export type DocsSearchAnswer = z.output<typeof docsSearchAnswer>

import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { callLabels } from '../scrape/schema.ts'
import { addresses, codeFields, lifetimes, runResult } from '../sessions/schema.ts'

export const interactRequest = z
  .strictObject({
    code: codeFields.code.optional(),
    prompt: text('MAX_PROMPT_LENGTH')
      .min(1)
      .optional()
      .describe('A task in plain language, for which a language model must be configured.'),
    language: codeFields.language,
    timeout: z
      .number()
      .min(1)
      .max(300)
      .optional()
      .describe('Seconds. Code has 30 when it is not given, a prompt 240.'),
    ...lifetimes,
    ...callLabels,
  })
  .superRefine(({ code, prompt }, context) => {
    if ((code === undefined) !== (prompt === undefined)) return
    context.addIssue({ code: 'custom', path: [], message: 'Give exactly one of code and prompt.' })
  })

export type InteractRequest = z.output<typeof interactRequest>

export const interactResult = z.object({
  success: z.boolean().describe('Whether the run completed without errors.'),
  sessionId: z.string(),
  ...addresses,
  output: z.string().optional().describe('The answer to a prompt.'),
  ...runResult,
  warning: z.string().optional(),
})

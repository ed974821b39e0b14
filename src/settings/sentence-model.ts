import { z } from 'zod'

export const sentenceModelVariables = {
  SEARCH_SENTENCE_MODEL: z
    .string()
    .refine((text) => text === 'off' || text.startsWith('/'), { error: 'is an absolute path or `off`' })
    .optional()
    .describe(
      'Folder of the sentence model that search and highlights rank English text with; `off` ranks by words alone. If not set, the start installs it.',
    )
    .meta({ shown: 'installed' }),
}

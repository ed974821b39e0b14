import { z } from 'zod'

const conflict = z
  .object({
    path: z.string(),
    chosen: z.unknown(),
    values: z.array(
      z.object({
        value: z.unknown(),
        sources: z.array(z.string()),
        reader: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Conflict' })

export const conflicts = z
  .array(conflict)
  .optional()
  .describe('Fields of which pages state different values: each value with its pages.')

export const valueSources = z
  .record(z.string(), z.array(z.string()))
  .optional()
  .describe('The pages that state each value, by its path.')

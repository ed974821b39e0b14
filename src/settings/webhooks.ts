import { z } from 'zod'
import { list } from './fields.ts'

/** How webhooks are delivered. */
export const webhookVariables = {
  WEBHOOK_RETRIES: list()
    .pipe(
      z
        .array(
          z
            .string()
            .regex(/^\d{1,6}$/, 'is a list of seconds')
            .transform(Number),
        )
        .max(20),
    )
    .default([60, 300, 900])
    .describe('Seconds before each further attempt to deliver a webhook, comma-separated.')
    .meta({ shown: '60,300,900' }),
  WEBHOOK_SECRET: z
    .string()
    .min(16, 'has at least 16 characters')
    .optional()
    .describe(
      'Signs deliveries for teams without their own secret (key set --webhook-secret): the first team with this secret, each other team with a secret that is derived from it (key show).',
    )
    .meta({ shown: 'not signed' }),
}

export function webhooksOf(found: z.output<z.ZodObject<typeof webhookVariables>>) {
  return {
    retryAfter: found.WEBHOOK_RETRIES.map((seconds) => seconds * 1000),
    secret: found.WEBHOOK_SECRET,
  }
}

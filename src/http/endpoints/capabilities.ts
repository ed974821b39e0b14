import { z } from 'zod'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

export const getCapabilities = defineEndpoint({
  method: 'GET',
  path: '/v2/capabilities',
  summary: 'What works on this installation, and why the rest does not',
  tag: 'Service',
  response: envelope({
    version: z.string(),
    features: z.array(
      z.object({
        name: z.string(),
        available: z.boolean(),
        note: z.string().describe('What it does, or why it does not work here.'),
        enable: z.string().optional().describe('What an operator can do to have it.'),
      }),
    ),
  }),
  errors: [],
  handle({ app }) {
    // Folders of the machine are for those who run it.
    const features = app.capabilities().map(({ place: _, ...capability }) => capability)
    return ok({ version: app.version, features })
  },
})

import { z } from 'zod'
import { extractRequest, extractStatus } from '../../features/extract/schema.ts'
import { endpointsOf, envelope, jobId, ok, startErrors } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Extract' })

export const postExtract = defineEndpoint({
  method: 'POST',
  path: '/v2/extract',
  summary: 'Read values from several pages or a complete site, in the background',
  body: extractRequest,
  response: envelope({
    id: z.string().describe('Id of the extract.'),
    urlTrace: z.array(z.unknown()).describe('Empty here; the status contains it, if requested.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that were skipped.'),
  }),
  errors: ['NO_VALID_URLS', ...startErrors, 'MODEL_NOT_CONFIGURED'],
  async handle({ app, team, body, idempotencyKey }) {
    const { id, invalidURLs } = await app.startExtract(team, body, idempotencyKey)
    return ok({ id, urlTrace: [], ...(body.ignoreInvalidURLs ? { invalidURLs } : {}) })
  },
})

export const getExtract = defineEndpoint({
  method: 'GET',
  path: '/v2/extract/{id}',
  summary: 'Read the progress and the values of an extract or of an agent',
  params: jobId,
  response: extractStatus.meta({ id: 'ExtractStatus' }),
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND'],
  handle: ({ app, team, params }) => app.extractStatus(team, params.id),
})

export const deleteExtract = defineEndpoint({
  method: 'DELETE',
  path: '/v2/extract/{id}',
  summary: 'Cancel an extract',
  params: jobId,
  response: envelope({ status: z.literal('cancelled') }),
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND', 'JOB_ALREADY_ENDED'],
  async handle({ app, team, params }) {
    await app.cancelParent(team, { id: params.id, kind: 'extract' })
    return ok({ status: 'cancelled' as const })
  },
})

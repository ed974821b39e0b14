import { mapRequest, mapResult } from '../../features/map.ts'
import { defineEndpoint, envelope, fetchErrors, ok } from '../endpoint.ts'

export const postMap = defineEndpoint({
  method: 'POST',
  path: '/v2/map',
  summary: 'List the pages of a site',
  tag: 'Map',
  body: mapRequest.meta({ id: 'MapRequest' }),
  response: envelope(mapResult.shape),
  errors: [
    'BAD_URL',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'MAP_TIMEOUT',
    'CONCURRENCY_QUEUE_TIMEOUT',
    'SCRAPE_JOB_CANCELLED',
    'TARGET_FORBIDDEN',
    'SCRAPE_TIMEOUT',
    ...fetchErrors,
    'BROWSER_FAILED',
  ],
  handle: async ({ app, team, body, signal, idempotencyKey }) =>
    ok(await app.map(team, body, { signal: signal(), idempotencyKey })),
})

import { mapRequest, mapResult } from '../../features/map.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

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
    'SCRAPE_ALL_ENGINES_FAILED',
    'SCRAPE_DNS_RESOLUTION_ERROR',
    'SCRAPE_SSL_ERROR',
    'SCRAPE_SITE_ERROR',
    'SCRAPE_TOO_MANY_REDIRECTS',
    'SCRAPE_PAGE_TOO_LARGE',
    'BROWSER_FAILED',
  ],
  async handle({ app, team, body, signal, idempotencyKey }) {
    return ok(await app.map(team, body, { signal: signal(), idempotencyKey }))
  },
})

import { searchRequest, searchResult } from '../../features/search/schema.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

export const postSearch = defineEndpoint({
  method: 'POST',
  path: '/v2/search',
  summary: 'Search the web and the own pages',
  tag: 'Search',
  body: searchRequest,
  invalidBody: 'Invalid request body: ',
  response: envelope(searchResult.shape),
  errors: [
    'ZERO_RETENTION_NOT_ENABLED',
    'OPTION_NOT_AVAILABLE',
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'CONCURRENCY_QUEUE_TIMEOUT',
    'SCRAPE_JOB_CANCELLED',
    'SCRAPE_TIMEOUT',
    'SEARCH_ENGINE_FAILED',
  ],
  async handle({ app, team, body, signal, idempotencyKey }) {
    return ok(await app.search(team, body, { signal: signal(), idempotencyKey }))
  },
})

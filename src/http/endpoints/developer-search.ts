import type { ErrorCode } from '../../base/errors.ts'
import { developerAnswer, developerQuery, developerRequest } from '../../features/search/developer-schema.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const refusals: ErrorCode[] = [
  'FEATURE_NOT_AVAILABLE',
  'CREDITS_EXHAUSTED',
  'IDEMPOTENCY_KEY_REUSED',
  'CONCURRENCY_QUEUE_TIMEOUT',
  'SCRAPE_JOB_CANCELLED',
  'SCRAPE_TIMEOUT',
  'SEARCH_ENGINE_FAILED',
]

const common = {
  path: '/v2/search/developer',
  summary: 'Find issues, pull requests, repositories and own pages about code',
  tag: 'Search',
  // It asks others, so it counts like a call that starts work.
  lane: 'work',
  response: envelope(developerAnswer.shape),
  errors: refusals,
} as const

export const postDeveloperSearch = defineEndpoint({
  ...common,
  method: 'POST',
  errors: refusals,
  body: developerRequest,
  async handle({ app, team, body, signal, idempotencyKey }) {
    return ok(await app.searchDeveloper(team, body, { signal: signal(), idempotencyKey }))
  },
})

export const getDeveloperSearch = defineEndpoint({
  ...common,
  method: 'GET',
  errors: refusals,
  query: developerQuery,
  async handle({ app, team, query, signal, idempotencyKey }) {
    return ok(await app.searchDeveloper(team, query, { signal: signal(), idempotencyKey }))
  },
})

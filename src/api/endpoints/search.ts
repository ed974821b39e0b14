import {
  developerQuery,
  developerRequest,
  developerResponse,
} from '../../features/search/developer-schema.ts'
import {
  githubQuery,
  githubResponse,
  paperId,
  paperQuery,
  paperResponse,
  papersQuery,
  papersResponse,
  similarQuery,
  similarResponse,
} from '../../features/search/research-schema.ts'
import { searchRequest, searchResult } from '../../features/search/schema.ts'
import type { AppError, ErrorCode } from '../../platform/errors.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const jobErrors: ErrorCode[] = [
  'CREDITS_EXHAUSTED',
  'IDEMPOTENCY_KEY_REUSED',
  'CONCURRENCY_QUEUE_TIMEOUT',
  'SCRAPE_JOB_CANCELLED',
  'SCRAPE_TIMEOUT',
  'SEARCH_ENGINE_FAILED',
]

export const postSearch = defineEndpoint({
  method: 'POST',
  path: '/v2/search',
  summary: 'Search the web and your indexed pages',
  tag: 'Search',
  body: searchRequest,
  invalidBody: 'Invalid request body: ',
  response: envelope(searchResult.shape),
  errors: [
    'ZERO_RETENTION_NOT_ENABLED',
    'OPTION_NOT_AVAILABLE',
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    ...jobErrors,
  ],
  handle: async ({ app, team, body, signal, idempotencyKey }) =>
    ok(await app.search(team, body, { signal: signal(), idempotencyKey })),
})

const searchErrors: ErrorCode[] = ['FEATURE_NOT_AVAILABLE', ...jobErrors]

const developer = {
  path: '/v2/search/developer',
  summary: 'Find issues, pull requests, repositories and your indexed pages about code',
  tag: 'Search',
  // Queries external services, so it has the rate limit of requests that start work.
  rateLimitClass: 'work',
  response: envelope(developerResponse.shape),
  errors: searchErrors,
} as const

export const postDeveloperSearch = defineEndpoint({
  ...developer,
  method: 'POST',
  body: developerRequest,
  handle: async ({ app, team, body, signal, idempotencyKey }) =>
    ok(await app.searchDeveloper(team, body, { signal: signal(), idempotencyKey })),
})

export const getDeveloperSearch = defineEndpoint({
  ...developer,
  method: 'GET',
  query: developerQuery,
  handle: async ({ app, team, query, signal, idempotencyKey }) =>
    ok(await app.searchDeveloper(team, query, { signal: signal(), idempotencyKey })),
})

const research = {
  method: 'GET',
  tag: 'Search',
  rateLimitClass: 'work',
  // A problem document (RFC 9457), which clients of these routes expect.
  errorFields: ({ code, message, status }: AppError) => ({
    ...{ type: `urn:winnow:${code}`, title: code, status, detail: message },
  }),
} as const

export const getPapers = defineEndpoint({
  ...research,
  path: '/v2/search/research/papers',
  summary: 'Find papers in open catalogues',
  query: papersQuery,
  response: envelope(papersResponse.shape),
  errors: searchErrors,
  handle: async ({ app, team, query, signal, idempotencyKey }) =>
    ok(await app.searchPapers(team, query, { signal: signal(), idempotencyKey })),
})

export const getPaper = defineEndpoint({
  ...research,
  path: '/v2/search/research/papers/{id}',
  summary: 'Get a paper from open catalogues, or its passages that answer a query',
  params: paperId,
  query: paperQuery,
  response: envelope(paperResponse.shape),
  errors: [...searchErrors, 'PAPER_NOT_FOUND', 'PAPER_UNREADABLE'],
  handle: async ({ app, team, params, query, signal, idempotencyKey }) =>
    ok(await app.getPaper(team, { ...query, id: params.id }, { signal: signal(), idempotencyKey })),
})

export const getSimilarPapers = defineEndpoint({
  ...research,
  path: '/v2/search/research/papers/{id}/similar',
  summary: 'Find papers related to others by citations',
  params: paperId,
  query: similarQuery,
  response: envelope(similarResponse.shape),
  errors: [...searchErrors, 'PAPER_NOT_FOUND'],
  handle: async ({ app, team, params, query, signal, idempotencyKey }) =>
    ok(await app.similarPapers(team, { ...query, id: params.id }, { signal: signal(), idempotencyKey })),
})

export const getResearchGithub = defineEndpoint({
  ...research,
  path: '/v2/search/research/github',
  summary: 'Find issues and repositories on GitHub',
  query: githubQuery,
  response: envelope(githubResponse.shape),
  errors: searchErrors,
  handle: async ({ app, team, query, signal, idempotencyKey }) =>
    ok(await app.searchResearchGithub(team, query, { signal: signal(), idempotencyKey })),
})

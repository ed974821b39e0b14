import type { AppError, ErrorCode } from '../../base/errors.ts'
import {
  githubAnswer,
  githubQuery,
  paperAnswer,
  paperId,
  paperQuery,
  papersAnswer,
  papersQuery,
  similarAnswer,
  similarQuery,
} from '../../features/search/research-schema.ts'
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

/** Clients of these routes read errors as problem documents (RFC 9457). */
function problem({ code, message, status }: AppError) {
  return { type: `urn:winnow:${code}`, title: code, status, detail: message }
}

/** They ask others, so they count like calls that start work. */
const common = { method: 'GET', tag: 'Search', lane: 'work', errorFields: problem } as const

export const getPapers = defineEndpoint({
  ...common,
  path: '/v2/search/research/papers',
  summary: 'Find papers in open catalogues',
  query: papersQuery,
  response: envelope(papersAnswer.shape),
  errors: refusals,
  async handle({ app, team, query, signal, idempotencyKey }) {
    return ok(await app.searchPapers(team, query, { signal: signal(), idempotencyKey }))
  },
})

export const getPaper = defineEndpoint({
  ...common,
  path: '/v2/search/research/papers/{id}',
  summary: 'What open catalogues know of a paper, or its passages that answer a query',
  params: paperId,
  query: paperQuery,
  response: envelope(paperAnswer.shape),
  errors: [...refusals, 'PAPER_NOT_FOUND', 'PAPER_UNREADABLE'],
  async handle({ app, team, params, query, signal, idempotencyKey }) {
    return ok(await app.getPaper(team, { ...query, id: params.id }, { signal: signal(), idempotencyKey }))
  },
})

export const getSimilarPapers = defineEndpoint({
  ...common,
  path: '/v2/search/research/papers/{id}/similar',
  summary: 'Papers that are related to others by citations',
  params: paperId,
  query: similarQuery,
  response: envelope(similarAnswer.shape),
  errors: [...refusals, 'PAPER_NOT_FOUND'],
  async handle({ app, team, params, query, signal, idempotencyKey }) {
    return ok(
      await app.similarPapers(team, { ...query, id: params.id }, { signal: signal(), idempotencyKey }),
    )
  },
})

export const getResearchGithub = defineEndpoint({
  ...common,
  path: '/v2/search/research/github',
  summary: 'Find issues and repositories of GitHub',
  query: githubQuery,
  response: envelope(githubAnswer.shape),
  errors: refusals,
  async handle({ app, team, query, signal, idempotencyKey }) {
    return ok(await app.searchResearchGithub(team, query, { signal: signal(), idempotencyKey }))
  },
})

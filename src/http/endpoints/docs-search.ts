import { docsSearchAnswer, docsSearchRequest } from '../../features/docs-search/schema.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

export const postDocsSearch = defineEndpoint({
  method: 'POST',
  path: '/v2/support/docs-search',
  summary: 'Answer a question about this service from its documentation',
  tag: 'Support',
  body: docsSearchRequest,
  response: envelope(docsSearchAnswer.shape),
  errors: ['FEATURE_NOT_AVAILABLE'],
  async handle({ app, team, body, signal }) {
    return ok(await app.searchDocs(team, body, signal()))
  },
})

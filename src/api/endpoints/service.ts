import { z } from 'zod'
import { docsSearchRequest, docsSearchResponse } from '../../features/docs-search/docs-search.ts'
import { supportAnswer, supportQuestion } from '../../features/support/schema.ts'
import { boundedText } from '../../platform/bounded.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

export const getCapabilities = defineEndpoint({
  method: 'GET',
  path: '/v2/capabilities',
  summary: 'List the features of this installation, with reasons for missing ones',
  tag: 'Service',
  response: envelope({
    version: z.string(),
    features: z.array(
      z.object({
        name: z.string(),
        available: z.boolean(),
        note: z.string().describe('Description of the feature, or the reason why it is unavailable.'),
        enable: z.string().optional().describe('Steps for an operator to enable the feature.'),
      }),
    ),
  }),
  handle({ app }) {
    // Folders of the machine are only for operators.
    const features = app.capabilities().map(({ place: _, ...capability }) => capability)
    return ok({ version: app.version, features })
  },
})

export const postConsoleKey = defineEndpoint({
  method: 'POST',
  path: '/v2/console/key',
  summary: 'Exchange the one-time login code for the API key of this machine',
  tag: 'Operator',
  access: 'machine',
  body: z.strictObject({
    code: boundedText('MAX_CONSOLE_CODE_LENGTH').describe('The text after `#code=` in the login link.'),
  }),
  response: envelope({ key: z.string().describe('The key from the file api-key in DATA_DIR.') }),
  errors: ['CONSOLE_CODE_INVALID', 'CONSOLE_KEY_NOT_FOUND'],
  handle: async ({ app, body }) => ok({ key: await app.consoleKey.exchange(body.code) }),
})

export const postDocsSearch = defineEndpoint({
  method: 'POST',
  path: '/v2/support/docs-search',
  summary: 'Answer a question about this service from its documentation',
  tag: 'Support',
  body: docsSearchRequest,
  response: envelope(docsSearchResponse.shape),
  errors: ['FEATURE_NOT_AVAILABLE'],
  handle: async ({ app, team, body, signal }) => ok(await app.searchDocs(team, body, signal())),
})

export const postSupportAsk = defineEndpoint({
  method: 'POST',
  path: '/v2/support/ask',
  summary: 'Diagnose a call; suggested fixes are tested first',
  tag: 'Support',
  body: supportQuestion,
  response: supportAnswer,
  errors: ['SUPPORT_BUDGET_REACHED', 'CONCURRENCY_QUEUE_TIMEOUT'],
  // On an exceeded budget, returns the findings so far.
  errorFields: ({ code, detail }) => (code === 'SUPPORT_BUDGET_REACHED' ? detail : {}),
  handle: ({ app, team, body, signal }) => app.askSupport(team, body, signal()),
})

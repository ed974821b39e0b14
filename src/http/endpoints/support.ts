import { supportAnswer, supportQuestion } from '../../features/support/schema.ts'
import { defineEndpoint } from '../endpoint.ts'

export const postSupportAsk = defineEndpoint({
  method: 'POST',
  path: '/v2/support/ask',
  summary: 'Ask why a call did not bring what was expected; a remedy is tried before it is given',
  tag: 'Support',
  body: supportQuestion,
  response: supportAnswer,
  errors: ['SUPPORT_BUDGET_REACHED', 'CONCURRENCY_QUEUE_TIMEOUT'],
  // What was found until then.
  errorFields: ({ code, detail }) => (code === 'SUPPORT_BUDGET_REACHED' ? detail : {}),
  handle: ({ app, team, body, signal }) => app.askSupport(team, body, signal()),
})

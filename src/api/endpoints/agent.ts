import { z } from 'zod'
import {
  agentListItem,
  agentRequest,
  agentStatus,
  agentThread,
  traceEvent,
} from '../../features/agent/schema.ts'
import { boundedText } from '../../platform/bounded.ts'
import { endpointsOf, envelope, integerInQuery, jobId, ok } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Agent' })
const unknownJobErrors = ['INVALID_JOB_ID' as const, 'JOB_NOT_FOUND' as const]
const isTrue = boundedText('MAX_CURSOR_LENGTH')
  .optional()
  .transform((value) => value === 'true')

export const postAgent = defineEndpoint({
  method: 'POST',
  path: '/v2/agent',
  summary: 'Find pages for a task and read values from them, in the background',
  body: agentRequest,
  response: envelope({
    id: z.string().describe('Id of the run.'),
    threadId: z.string().describe('Pass it in the next run to continue the conversation.'),
    threadTurn: z.int(),
  }),
  errors: [
    ...unknownJobErrors,
    ...(['BAD_URL', 'TARGET_FORBIDDEN', 'CREDITS_EXHAUSTED', 'IDEMPOTENCY_KEY_REUSED'] as const),
    ...(['MODEL_NOT_CONFIGURED', 'JOB_NOT_FINISHED'] as const),
  ],
  async handle({ app, team, body, idempotencyKey }) {
    const { warnings, ...started } = await app.agents.start(team, body, idempotencyKey)
    return ok({ ...started, ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }) })
  },
})

export const getAgents = defineEndpoint({
  method: 'GET',
  path: '/v2/agent',
  summary: 'List the agents of the team, newest first',
  query: z.object({
    before: integerInQuery(0, 1e15).optional().describe('Only runs from before this moment (ms since 1970).'),
  }),
  response: envelope({
    agents: z.array(agentListItem),
    next: z.string().optional().describe('URL of the next page of runs; absent on the last page.'),
  }),
  async handle({ app, team, query, publicUrl }) {
    const { agents, nextBefore } = await app.agents.list(team, query.before)
    const next = nextBefore === undefined ? {} : { next: `${publicUrl}/v2/agent?before=${nextBefore}` }
    return ok({ agents, ...next })
  },
})

export const getAgent = defineEndpoint({
  method: 'GET',
  path: '/v2/agent/{id}',
  summary: 'Read the progress and the result of an agent',
  params: jobId,
  response: envelope(agentStatus).meta({ id: 'AgentStatus' }),
  errors: unknownJobErrors,
  handle: async ({ app, team, params }) => ok(await app.agents.status(team, params.id)),
})

export const deleteAgent = defineEndpoint({
  method: 'DELETE',
  path: '/v2/agent/{id}',
  summary: 'Cancel an agent',
  params: jobId,
  response: envelope({}),
  errors: [...unknownJobErrors, 'JOB_ALREADY_ENDED'],
  handle: ({ app, team, params }) =>
    app.cancelParent(team, { id: params.id, kind: 'agent' }).then(() => ok({})),
})

export const getAgentTrace = defineEndpoint({
  method: 'GET',
  path: '/v2/agent/{id}/trace',
  summary: 'Read what an agent did, step by step',
  params: jobId,
  query: z.object({ liveView: isTrue.describe('Agents open no browser sessions here: the list is empty.') }),
  response: envelope({
    id: z.string(),
    events: z.array(traceEvent),
    creditsUsed: z.int(),
    activeBrowserSessions: z.array(z.unknown()).optional(),
  }).meta({ id: 'AgentTrace' }),
  errors: unknownJobErrors,
  async handle({ app, team, params, query }) {
    const trace = await app.agents.trace(team, params.id)
    return ok({ ...trace, ...(query.liveView ? { activeBrowserSessions: [] } : {}) })
  },
})

export const getAgentSnapshot = defineEndpoint({
  method: 'GET',
  path: '/v2/agent/{id}/snapshots/{snapshot}',
  summary: 'Read the content that an event of the trace refers to',
  params: z.object({
    ...jobId.shape,
    snapshot: boundedText('MAX_ID_LENGTH').describe('snapshotId of the event.'),
  }),
  response: envelope({ id: z.string(), snapshotId: z.string(), snapshot: z.string() }),
  errors: unknownJobErrors,
  handle: async ({ app, team, params }) => ok(await app.agents.snapshot(team, params.id, params.snapshot)),
})

export const getAgentThread = defineEndpoint({
  method: 'GET',
  path: '/v2/agent/threads/{id}',
  summary: 'Read the runs of a conversation, oldest first',
  params: jobId,
  query: z.object({ includeData: isTrue.describe('True to include the data of each run.') }),
  response: envelope({ thread: agentThread }),
  errors: unknownJobErrors,
  handle: async ({ app, team, params, query }) =>
    ok({ thread: await app.agents.thread(team, { ...params, ...query }) }),
})

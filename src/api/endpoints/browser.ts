import { z } from 'zod'
import { interactRequest, interactResult } from '../../features/interact/interact.ts'
import {
  executeRequest,
  runResult,
  sessionDetails,
  sessionEnding,
  sessionList,
  sessionRequest,
  sessionStatus,
  sessionUrlFields,
} from '../../features/sessions/schema.ts'
import { boundedText } from '../../platform/bounded.ts'
import type { ErrorCode } from '../../platform/errors.ts'
import { type Endpoint, endpointsOf, envelope, jobId, ok } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Browser' })
const sessionId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the session.') })
const unknownSession: ErrorCode[] = ['SESSION_NOT_FOUND', 'FORBIDDEN']
const notConfiguredErrors: ErrorCode[] = ['SANDBOX_NOT_CONFIGURED', 'BROWSER_NOT_CONFIGURED']
const endErrors: ErrorCode[] = ['SESSION_FAILED', 'SCRAPE_JOB_CANCELLED', 'JOB_INTERRUPTED']
const limitErrors: ErrorCode[] = [
  'CREDITS_EXHAUSTED',
  'SESSION_LIMIT_REACHED',
  'SESSION_MEMORY_EXHAUSTED',
  'PROFILE_IN_USE',
]
const runErrors: ErrorCode[] = [
  ...notConfiguredErrors,
  'PYTHON_NOT_CONFIGURED',
  'CODE_NOT_STARTED',
  'SESSION_DESTROYED',
  ...endErrors,
]

export const postBrowser = defineEndpoint({
  method: 'POST',
  path: '/v2/browser',
  summary: 'Open a browser session for code, DevTools or live view',
  body: sessionRequest.meta({ id: 'SessionRequest' }),
  response: envelope({ id: z.string(), ...sessionUrlFields, expiresAt: z.string() }),
  errors: [...notConfiguredErrors, ...limitErrors, 'SESSION_FAILED', 'SESSION_DESTROYED'],
  async handle({ app, team, body }) {
    const session = await app.sessions.create(team, body)
    const warning = 'No effect here: recordSession. Sessions are not recorded.'
    return ok({ ...session, ...(body.recordSession ? { warning } : {}) })
  },
})

export const getBrowsers = defineEndpoint({
  method: 'GET',
  path: '/v2/browser',
  summary: 'List the browser sessions of the team, newest first',
  query: z.object({ status: sessionStatus.optional().describe('Only sessions in this state.') }),
  response: envelope({ sessions: sessionList }),
  handle: async ({ app, team, query }) => ok({ sessions: await app.sessions.list(team, query.status) }),
})

export const getBrowser = defineEndpoint({
  method: 'GET',
  path: '/v2/browser/{id}',
  summary: 'Get a browser session',
  params: sessionId,
  response: envelope(sessionDetails),
  errors: unknownSession,
  handle: async ({ app, team, params }) => ok(await app.sessions.details(team, params.id)),
})

export const deleteBrowser = defineEndpoint({
  method: 'DELETE',
  path: '/v2/browser/{id}',
  summary: 'End a browser session and return its cost (idempotent)',
  params: sessionId,
  response: envelope(sessionEnding),
  errors: [...unknownSession, ...endErrors],
  handle: async ({ app, team, params, signal }) => ok(await app.sessions.end(team, params.id, signal())),
})

export const postBrowserExecute = defineEndpoint({
  method: 'POST',
  path: '/v2/browser/{id}/execute',
  summary: 'Run code in a browser session; `error` describes a failure of the code',
  params: sessionId,
  body: executeRequest.meta({ id: 'ExecuteRequest' }),
  response: envelope(runResult),
  errors: [...unknownSession, ...runErrors],
  handle: async ({ app, team, params, body, signal }) =>
    ok(await app.sessions.execute(team, { id: params.id, request: body }, signal())),
})

export const getBrowserReplay = defineEndpoint({
  method: 'GET',
  path: '/v2/browser/{id}/replay',
  summary: 'Get the recording of a session; always 404, because sessions are not recorded',
  params: sessionId,
  response: envelope({}),
  errors: [...unknownSession, 'REPLAY_NOT_FOUND'],
  handle: ({ app, team, params }) => app.sessions.recording(team, params.id),
})

const profileResponse = z
  .object({
    name: z.string(),
    savedAt: z.string().nullable().describe('Null if nothing has been saved.'),
    inUse: z
      .boolean()
      .describe('True if a session or a scrape will save to it; until then it cannot be deleted.'),
  })
  .meta({ id: 'SavedProfile' })

export const getBrowserProfiles = defineEndpoint({
  method: 'GET',
  path: '/v2/browser/profiles',
  summary: 'List the profiles of the team by name, at most 1,000',
  response: envelope({ profiles: z.array(profileResponse) }),
  async handle({ app, team }) {
    const profiles = (await app.sessions.profiles(team)).map(({ name, savedAt, isInUse }) => ({
      name,
      savedAt: savedAt === undefined ? null : new Date(savedAt).toISOString(),
      inUse: isInUse,
    }))
    return ok({ profiles })
  },
})

export const deleteBrowserProfile = defineEndpoint({
  method: 'DELETE',
  path: '/v2/browser/profiles/{name}',
  summary: 'Delete a profile (idempotent)',
  params: z.object({ name: boundedText('MAX_PROFILE_NAME_LENGTH').min(1).describe('Name of the profile.') }),
  response: envelope({}),
  errors: ['PROFILE_IN_USE'],
  handle: ({ app, team, params }) => app.sessions.forgetProfile(team, params.name).then(() => ok({})),
})

export const postInteract = underInteract(postBrowser)
export const getInteracts = underInteract(getBrowsers)
export const getInteract = underInteract(getBrowser)
export const deleteInteract = underInteract(deleteBrowser)
export const postInteractExecute = underInteract(postBrowserExecute)
export const getInteractReplay = underInteract(getBrowserReplay)
export const getInteractProfiles = underInteract(getBrowserProfiles)
export const deleteInteractProfile = underInteract(deleteBrowserProfile)

function underInteract(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    path: endpoint.path.replace('/v2/browser', '/v2/interact'),
    summary: `${endpoint.summary} (also /v2/browser)`,
  }
}

const defineInteractEndpoint = endpointsOf({ tag: 'Interact' })

export const postScrapeInteract = defineInteractEndpoint({
  method: 'POST',
  path: '/v2/scrape/{id}/interact',
  summary: 'Run code or a prompt in a browser on the page of a previous scrape',
  params: jobId,
  body: interactRequest,
  response: interactResult.meta({ id: 'InteractResult' }),
  errors: [
    'INVALID_JOB_ID',
    'FORBIDDEN',
    'JOB_NOT_FOUND',
    ...runErrors,
    'MODEL_NOT_CONFIGURED',
    'MODEL_FAILED',
    'MODEL_BUDGET_SPENT',
    'INTERACT_TIMEOUT',
    'INTERACT_FAILED',
    ...limitErrors,
    'REPLAY_UNAVAILABLE',
  ],
  handle: ({ app, team, params, body, signal }) =>
    app.sessions.interact(team, { scrapeId: params.id, request: body }, signal()),
})

export const deleteScrapeInteract = defineInteractEndpoint({
  method: 'DELETE',
  path: '/v2/scrape/{id}/interact',
  summary: 'End the browser of a scrape and return its cost (idempotent)',
  params: jobId,
  response: envelope(sessionEnding),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'SESSION_NOT_FOUND', ...endErrors],
  handle: async ({ app, team, params, signal }) =>
    ok(await app.sessions.stopInteracting(team, params.id, signal())),
})

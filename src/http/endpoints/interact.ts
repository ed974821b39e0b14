import { interactRequest, interactResult } from '../../features/interact/schema.ts'
import { sessionEnding } from '../../features/sessions/schema.ts'
import { defineEndpoint, envelope, jobId, ok } from '../endpoint.ts'
import { runErrors } from './browser.ts'

export const postScrapeInteract = defineEndpoint({
  method: 'POST',
  path: '/v2/scrape/{id}/interact',
  summary: 'Run code or a prompt in a browser on the page of an earlier scrape',
  tag: 'Interact',
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
    'CREDITS_EXHAUSTED',
    'SESSION_LIMIT_REACHED',
    'SESSION_MEMORY_EXHAUSTED',
    'PROFILE_IN_USE',
    'REPLAY_UNAVAILABLE',
  ],
  handle: ({ app, team, params, body, signal }) =>
    app.sessions.interact(team, { scrapeId: params.id, request: body }, signal()),
})

export const deleteScrapeInteract = defineEndpoint({
  method: 'DELETE',
  path: '/v2/scrape/{id}/interact',
  summary: 'End the browser of a scrape; answers what it cost, however often it is asked',
  tag: 'Interact',
  params: jobId,
  response: envelope(sessionEnding),
  errors: [
    'INVALID_JOB_ID',
    'FORBIDDEN',
    'SESSION_NOT_FOUND',
    'SESSION_FAILED',
    'SCRAPE_JOB_CANCELLED',
    'JOB_INTERRUPTED',
  ],
  async handle({ app, team, params, signal }) {
    return ok(await app.sessions.stopInteracting(team, params.id, signal()))
  },
})

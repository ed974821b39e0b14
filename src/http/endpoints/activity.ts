import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { shownStates } from '../../features/activity.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const kinds = [
  'scrape',
  'crawl',
  'batch_scrape',
  'search',
  'extract',
  'llmstxt',
  'deep_research',
  'map',
  'agent',
  'browser',
  'interact',
  'parse',
  'research',
  'developer_search',
] as const

/** Out of range is clamped and not a number means the default, as clients expect of this one route. */
const pageSize = text('MAX_CURSOR_LENGTH')
  .optional()
  .transform((given) => {
    const size = Math.trunc(Number(given ?? 50))
    return Number.isFinite(size) ? Math.min(100, Math.max(1, size)) : 50
  })

export const getActivity = defineEndpoint({
  method: 'GET',
  path: '/v2/team/activity',
  summary: 'Calls of the team in the last 24 hours, newest first',
  tag: 'Team',
  query: z.object({
    endpoint: z.enum(kinds).optional().describe('Only calls of this kind.'),
    state: z.enum(shownStates).optional().describe('Only calls in this state.'),
    limit: pageSize.describe('Calls per page, 1 to 100; 50 when not given.'),
    cursor: text('MAX_CURSOR_LENGTH').optional().describe('The cursor of the page before.'),
  }),
  response: envelope({
    data: z.array(
      z.object({
        id: z.string(),
        endpoint: z.string(),
        api_version: z.string(),
        created_at: z.string(),
        target: z.string().nullable(),
        state: z.enum(shownStates),
        code: z.string().optional().describe('The error code of a call that failed.'),
      }),
    ),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
  errors: [],
  async handle({ app, team, query }) {
    return ok(await app.activity(team, query))
  },
})

import { z } from 'zod'
import {
  keyResponse,
  newKey,
  newTeam,
  page,
  teamChanges,
  teamResponse,
} from '../../features/operator/schema.ts'
import { boundedText } from '../../platform/bounded.ts'
import { endpointsOf, envelope, ok, okPage, pageOf } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Operator', access: 'operator' })
const teamId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the team.') })

export const getOperatorTeams = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/teams',
  summary: 'List the teams of the installation, oldest first',
  query: page,
  response: pageOf(teamResponse),
  async handle({ app, query }) {
    const { teams, cursor } = await app.operators.teams(query)
    return okPage(teams, cursor)
  },
})

export const postOperatorTeam = defineEndpoint({
  method: 'POST',
  path: '/v2/operator/teams',
  summary: 'Create a team without a key',
  body: newTeam,
  response: envelope({ data: teamResponse }),
  errors: ['TEAM_NAME_TAKEN'],
  handle: async ({ app, body }) => ok({ data: await app.operators.makeTeam(body) }),
})

export const postOperatorTeamChange = defineEndpoint({
  method: 'POST',
  path: '/v2/operator/teams/{id}',
  summary: 'Update a team: all given fields, or none',
  params: teamId,
  body: teamChanges,
  response: envelope({
    data: teamResponse,
    webhookSecret: z
      .string()
      .optional()
      .describe('Secret for verifying signatures. Only in the response to `webhookSecret: new`.'),
  }),
  errors: ['TEAM_NOT_FOUND'],
  async handle({ app, params, body }) {
    const { team, ...secret } = await app.operators.changeTeam(params.id, body)
    return ok({ data: team, ...secret })
  },
})

export const deleteOperatorTeam = defineEndpoint({
  method: 'DELETE',
  path: '/v2/operator/teams/{id}',
  summary:
    'Delete a team: end its keys, jobs and browsers immediately, and remove its data within half an hour',
  params: teamId,
  response: envelope({}),
  errors: ['TEAM_NOT_FOUND', 'LAST_OPERATOR_KEY'],
  handle: ({ app, params }) => app.operators.deleteTeam(params.id).then(() => ok({})),
})

export const getOperatorKeys = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/keys',
  summary: 'List API keys by prefix, oldest first, including revoked ones',
  query: page.extend({ teamId: boundedText('MAX_ID_LENGTH').optional().describe('Only keys of this team.') }),
  response: pageOf(keyResponse),
  async handle({ app, query }) {
    const { keys, cursor } = await app.operators.keys(query)
    return okPage(keys, cursor)
  },
})

export const postOperatorKey = defineEndpoint({
  method: 'POST',
  path: '/v2/operator/keys',
  summary: 'Create an API key; only this response contains it',
  body: newKey,
  response: envelope({
    data: keyResponse,
    key: z.string().describe('The key itself. Only its hash is stored.'),
  }),
  errors: ['TEAM_NOT_FOUND'],
  async handle({ app, body }) {
    const { key, shown } = await app.operators.makeKey(body)
    return ok({ data: shown, key })
  },
})

export const deleteOperatorKey = defineEndpoint({
  method: 'DELETE',
  path: '/v2/operator/keys/{id}',
  summary: 'Revoke a key within a second',
  params: z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the key.') }),
  response: envelope({}),
  errors: ['KEY_NOT_FOUND', 'LAST_OPERATOR_KEY'],
  handle: ({ app, params }) => app.operators.revokeKey(params.id).then(() => ok({})),
})

const byKind = z.record(z.string(), z.int()).describe('Jobs by kind; kinds without jobs are omitted.')

export const getOperatorOverview = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/overview',
  summary: 'Get queue, storage and health of the installation',
  response: envelope({
    data: z.object({
      version: z.string(),
      uptimeSeconds: z.int().describe('Uptime of the process that responds.'),
      queue: z.object({ queued: byKind, running: byKind, held: byKind }).describe('Totals of all teams.'),
      slotsTaken: z.int().describe('Number of running jobs of all teams that use a slot.'),
      storage: z.object({
        databaseBytes: z.int().nullable().describe('Size of the database; null if unknown.'),
        blobBytes: z
          .int()
          .nullable()
          .describe(
            'Size of stored pages, results and files, at most ten minutes old; null if unknown, as for a bucket.',
          ),
        freeBytes: z.int().nullable().describe('Free space on the disk of DATA_DIR; null if unknown.'),
      }),
      health: z.object({
        isReady: z.boolean(),
        parts: z.record(z.string(), z.string()).describe('`ok`, or the reason why a part does not work.'),
        ages: z
          .record(z.string(), z.number())
          .describe('Age of the state of a part in seconds, for parts that this request did not check.'),
        warnings: z
          .record(z.string(), z.string())
          .describe('Problems that do not stop the service: `clock`, `search`.'),
      }),
      teams: z
        .array(z.object({ id: z.string(), name: z.string(), running: z.int(), concurrency: z.int() }))
        .describe('The 20 teams with the most running jobs.'),
    }),
  }),
  handle: async ({ app }) => ok({ data: await app.operators.overview() }),
})

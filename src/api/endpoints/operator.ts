import { z } from 'zod'
import {
  keyResponse,
  newKey,
  newTeam,
  page,
  teamChanges,
  teamResponse,
} from '../../features/operator/schema.ts'
import { text } from '../../platform/bounded.ts'
import { defineEndpoint, envelope, ok, okPage, pageOf } from '../endpoint.ts'

const tag = 'Operator'
const access = 'operator'
const teamId = z.object({ id: text('MAX_ID_LENGTH').describe('Id of the team.') })

export const getOperatorTeams = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/teams',
  summary: 'List the teams of the installation, oldest first',
  ...{ tag, access },
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
  summary: 'Make a team; it has no key yet',
  ...{ tag, access },
  body: newTeam,
  response: envelope({ data: teamResponse }),
  errors: ['TEAM_NAME_TAKEN'],
  handle: async ({ app, body }) => ok({ data: await app.operators.makeTeam(body) }),
})

export const postOperatorTeamChange = defineEndpoint({
  method: 'POST',
  path: '/v2/operator/teams/{id}',
  summary: 'Change what a team has and may do: all that is named, or nothing',
  ...{ tag, access },
  params: teamId,
  body: teamChanges,
  response: envelope({
    data: teamResponse,
    webhookSecret: z
      .string()
      .optional()
      .describe(
        'Only after `webhookSecret: new`, and only in this answer: receivers check signatures by it.',
      ),
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
    'Delete a team: end its keys, jobs and browsers at once, and remove all it has within half an hour',
  ...{ tag, access },
  params: teamId,
  response: envelope({}),
  errors: ['TEAM_NOT_FOUND', 'LAST_OPERATOR_KEY'],
  async handle({ app, params }) {
    await app.operators.deleteTeam(params.id)
    return ok({})
  },
})

export const getOperatorKeys = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/keys',
  summary: 'List keys by their first characters, oldest first, including revoked ones',
  ...{ tag, access },
  query: page.extend({ teamId: text('MAX_ID_LENGTH').optional().describe('Only keys of this team.') }),
  response: pageOf(keyResponse),
  async handle({ app, query }) {
    const { keys, cursor } = await app.operators.keys(query)
    return okPage(keys, cursor)
  },
})

export const postOperatorKey = defineEndpoint({
  method: 'POST',
  path: '/v2/operator/keys',
  summary: 'Make a key; it is shown in this answer and never again',
  ...{ tag, access },
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
  summary: 'Revoke a key; it stops working within a second',
  ...{ tag, access },
  params: z.object({ id: text('MAX_ID_LENGTH').describe('Id of the key.') }),
  response: envelope({}),
  errors: ['KEY_NOT_FOUND', 'LAST_OPERATOR_KEY'],
  async handle({ app, params }) {
    await app.operators.revokeKey(params.id)
    return ok({})
  },
})

const byKind = z.record(z.string(), z.int()).describe('Jobs by kind; kinds without any are left out.')

export const getOperatorOverview = defineEndpoint({
  method: 'GET',
  path: '/v2/operator/overview',
  summary: 'What runs and waits on the installation, and whether it is well',
  ...{ tag, access },
  response: envelope({
    data: z.object({
      version: z.string(),
      uptimeSeconds: z.int().describe('Of the process that answers.'),
      queue: z.object({ queued: byKind, running: byKind, held: byKind }).describe('Of all teams.'),
      slotsTaken: z.int().describe('Slots of all teams that are taken now.'),
      storage: z.object({
        databaseBytes: z.int().nullable().describe('Size of the database; null: not known.'),
        blobBytes: z
          .int()
          .nullable()
          .describe(
            'Size of stored pages, results and files, to ten minutes; null: not known (yet), as with a bucket.',
          ),
        freeBytes: z.int().nullable().describe('Left on the disk of DATA_DIR; null: not known.'),
      }),
      health: z.object({
        isReady: z.boolean(),
        parts: z.record(z.string(), z.string()).describe('`ok`, or the reason why a part does not work.'),
        ages: z
          .record(z.string(), z.number())
          .describe('Seconds since a part was last used, if not just now.'),
        warnings: z
          .record(z.string(), z.string())
          .describe('Problems that do not keep the service from working: `clock`, `search`.'),
      }),
      teams: z
        .array(z.object({ id: z.string(), name: z.string(), running: z.int(), concurrency: z.int() }))
        .describe('The 20 teams with most running jobs.'),
    }),
  }),
  handle: async ({ app }) => ok({ data: await app.operators.overview() }),
})

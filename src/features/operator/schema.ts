import { z } from 'zod'
import { boundedInteger, boundedText } from '../../platform/bounded.ts'
import { flag, optionalFlag } from '../scrape/schema.ts'

export const page = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(100)
    .describe('Maximum number of entries in one response.'),
  cursor: boundedText('MAX_CURSOR_LENGTH').optional().describe('Cursor of the previous page.'),
})
export type Page = z.output<typeof page>

export const teamResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    balance: z.int().nullable().describe('Remaining credits; null if the team has no limit.'),
    unlimited: z.boolean(),
    concurrency: z.int().describe('Maximum number of concurrent jobs of the team.'),
    hasDefaultConcurrency: z.boolean().describe('True if the concurrency is TEAM_CONCURRENCY.'),
    zeroDataRetention: z.boolean().describe('True if requests of the team may use zero data retention.'),
    searchIndex: z
      .boolean()
      .describe('True if stored pages of the team are indexed, so its searches find them.'),
    signsWebhooks: z.boolean().describe('True if the team has a secret that signs its webhooks.'),
    derivedWebhookSecret: z
      .string()
      .nullable()
      .describe(
        'Secret derived from WEBHOOK_SECRET that signs the webhooks of this team. Null if the team has its own secret or is the first team, or if WEBHOOK_SECRET is not set.',
      ),
    keys: z.int().describe('Active keys.'),
    creditsUsed: z.int().describe('Calls in the last 30 days.'),
    createdAt: z.string(),
  })
  .meta({ id: 'OperatorTeam' })
export type TeamResponse = z.output<typeof teamResponse>

const settingFields = {
  concurrency: boundedInteger('MAX_TEAM_CONCURRENCY', 1)
    .nullable()
    .optional()
    .describe('Maximum number of concurrent jobs of the team; null: TEAM_CONCURRENCY.'),
  zeroDataRetention: optionalFlag('True if requests may use zero data retention.'),
  searchIndex: optionalFlag(
    'True if stored pages of the team are indexed, so its searches find them. False also removes indexed pages.',
  ),
}
const unlimited = z.boolean().optional()
const credits = boundedInteger('MAX_GRANTED_CREDITS', 1).optional()

const areExclusive = (account: { credits?: number | undefined; unlimited?: boolean | undefined }) =>
  account.credits === undefined || account.unlimited !== true
const exclusionMessage = 'credits and unlimited: true exclude each other'

export const newTeam = z
  .strictObject({
    name: boundedText('MAX_TEAM_NAME_LENGTH')
      .trim()
      .regex(/^[^\p{Cc}]+$/u, 'has at least one character, and no control characters')
      .describe('Unique name of the team.'),
    credits: credits.describe('Initial credits. Default: TEAM_CREDITS.'),
    unlimited: unlimited.describe('True for no limit, regardless of TEAM_CREDITS.'),
    ...settingFields,
  })
  .refine(areExclusive, exclusionMessage)
export type NewTeam = z.output<typeof newTeam>

export const teamChanges = z
  .strictObject({
    credits: credits.describe('Credits to add. A team without a limit has one afterwards.'),
    unlimited: unlimited.describe(
      'True removes the limit of the team. False sets a limit; the team then has only granted credits.',
    ),
    ...settingFields,
    webhookSecret: z
      .enum(['new', 'off'])
      .optional()
      .describe('`new` makes the secret that webhooks are signed with; `off` ends signing.'),
  })
  .refine(areExclusive, exclusionMessage)
  .refine((changes) => Object.keys(changes).length > 0, 'names nothing to change')
export type TeamChanges = z.output<typeof teamChanges>

export const keyResponse = z
  .object({
    id: z.string(),
    hint: z.string().describe('Prefix of the key.'),
    team: z.object({ id: z.string(), name: z.string() }),
    isOperator: z.boolean(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('At most ten minutes old; null if unknown.'),
    revokedAt: z.string().nullable(),
  })
  .meta({ id: 'OperatorKey' })
export type KeyResponse = z.output<typeof keyResponse>

export const newKey = z.strictObject({
  teamId: boundedText('MAX_ID_LENGTH').describe('Team of the key.'),
  operator: flag(false, 'True if the key can also call /v2/operator.'),
})
export type NewKey = z.output<typeof newKey>

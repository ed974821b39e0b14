import { z } from 'zod'
import { text, whole } from '../../platform/bounded.ts'
import { flag, optionalFlag } from '../scrape/schema.ts'

export const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(100).describe('Entries per answer.'),
  cursor: text('MAX_CURSOR_LENGTH').optional().describe('The cursor of the answer before.'),
})
export type Page = z.output<typeof page>

export const teamResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    balance: z.int().nullable().describe('Credits that are left; null: the team has no limit.'),
    unlimited: z.boolean(),
    concurrency: z.int().describe('Jobs of the team that may run at once.'),
    hasDefaultConcurrency: z.boolean().describe('The concurrency is TEAM_CONCURRENCY.'),
    zeroDataRetention: z.boolean().describe('Calls of the team may ask for zero data retention.'),
    searchIndex: z
      .boolean()
      .describe('Stored pages of the team are indexed, so that its searches find them.'),
    signsWebhooks: z.boolean().describe('The team has a secret that its webhooks are signed with.'),
    derivedWebhookSecret: z
      .string()
      .nullable()
      .describe(
        'The secret that is derived from WEBHOOK_SECRET and signs the webhooks of this team, because it has no own one; null if it has one, if it is the first team, or if WEBHOOK_SECRET is not set.',
      ),
    keys: z.int().describe('Keys that are not revoked.'),
    creditsUsed: z.int().describe('In the last 30 days.'),
    createdAt: z.string(),
  })
  .meta({ id: 'OperatorTeam' })
export type TeamResponse = z.output<typeof teamResponse>

const settingFields = {
  concurrency: whole('MAX_TEAM_CONCURRENCY', 1)
    .nullable()
    .optional()
    .describe('Jobs of the team that may run at once; null: TEAM_CONCURRENCY.'),
  zeroDataRetention: optionalFlag('Whether calls may ask for zero data retention.'),
  searchIndex: optionalFlag(
    'Whether stored pages of the team are indexed, so that its searches find them. False also removes the pages that are indexed already.',
  ),
}
const unlimited = z.boolean().optional()
const credits = whole('MAX_GRANTED_CREDITS', 1).optional()

const areExclusive = ({
  credits,
  unlimited,
}: {
  credits?: number | undefined
  unlimited?: boolean | undefined
}) => credits === undefined || unlimited !== true
const exclusionMessage = 'credits and unlimited: true exclude each other'

export const newTeam = z
  .strictObject({
    name: text('MAX_TEAM_NAME_LENGTH')
      .trim()
      .regex(/^[^\p{Cc}]+$/u, 'has at least one character, and no control characters')
      .describe('No other team has it.'),
    credits: credits.describe('The first credits. If not set: TEAM_CREDITS.'),
    unlimited: unlimited.describe('True: no limit, whatever TEAM_CREDITS says.'),
    ...settingFields,
  })
  .refine(areExclusive, exclusionMessage)
export type NewTeam = z.output<typeof newTeam>

export const teamChanges = z
  .strictObject({
    credits: credits.describe('Credits to add. A team without a limit has one from then on.'),
    unlimited: unlimited.describe(
      'True: the team has no limit. False: it has one, and no credits but those that are granted.',
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
    hint: z.string().describe('The first characters of the key.'),
    team: z.object({ id: z.string(), name: z.string() }),
    isOperator: z.boolean(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('To ten minutes; null: not known.'),
    revokedAt: z.string().nullable(),
  })
  .meta({ id: 'OperatorKey' })
export type KeyResponse = z.output<typeof keyResponse>

export const newKey = z.strictObject({
  teamId: text('MAX_ID_LENGTH').describe('The team that the key belongs to.'),
  operator: flag(false, 'The key may also call /v2/operator.'),
})
export type NewKey = z.output<typeof newKey>

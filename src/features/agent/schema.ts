import { z } from 'zod'
import { json } from '../../extraction/formats/json.ts'
import { anyJson, boundedList, boundedText } from '../../platform/bounded.ts'
import { conflicts, valueSources } from '../multi-page/read-pages.ts'
import { callLabels, flag } from '../scrape/schema.ts'
import { actionWebhookField } from '../webhooks/schema.ts'

/** Model names that clients send. None of these models is called: the language model of the installation is used. */
const modelNames = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const
const effort = z.enum(['low', 'medium', 'high']).optional()
const mode = z.enum(['extract', 'chat'])

export const agentRequest = z
  .strictObject({
    prompt: boundedText('MAX_PROMPT_LENGTH').trim().min(1).describe('Task in natural language.'),
    urls: boundedList(boundedText('MAX_URL_LENGTH'), 'MAX_EXTRACT_URLS')
      .default([])
      .describe('Start URLs. A URL that ends in /* includes the pages of the site below it.'),
    schema: json.options.schema.describe('JSON schema of the values. Default: derived from the prompt.'),
    maxCredits: z
      .number()
      .positive()
      .default(2500)
      .describe('Maximum total cost. The run reads no page and searches nothing beyond it.'),
    strictConstrainToURLs: flag(false, 'Read only the pages in urls.'),
    model: z
      .enum(modelNames)
      .optional()
      .describe('No effect: the language model of this installation is used.'),
    effort: effort.describe('Maximum number of steps: low 5, medium 10, high 20. Default: medium.'),
    webhook: actionWebhookField,
    threadId: boundedText('MAX_ID_LENGTH')
      .optional()
      .describe('Id of a conversation to continue; the agent knows its previous runs.'),
    mode: mode
      .default('extract')
      .describe('extract: values in data; chat: an answer in natural language in message.'),
    exchange: anyJson('MAX_OPTION_BYTES').optional().describe('No effect: there are no paid providers.'),
    ...callLabels,
  })
  .meta({ id: 'AgentRequest' })

export type AgentRequest = z.output<typeof agentRequest>

export const agentStatus = {
  status: z
    .enum(['processing', 'completed', 'failed'])
    .describe('A cancelled run has status `failed` and stopReason `cancelled`.'),
  data: z.unknown().optional(),
  message: z.string().optional().describe('Answer of the agent in the mode chat.'),
  error: z.string().optional(),
  code: z.string().optional(),
  stopReason: z
    .string()
    .optional()
    .describe('Reason for an early end: cancelled, credit_limit_reached, step_limit, model.'),
  sources: valueSources,
  conflicts,
  model: z.string(),
  effort,
  mode,
  threadId: z.string(),
  threadTurn: z.int(),
  expiresAt: z.string(),
  creditsUsed: z.int(),
}

export const agentListItem = z
  .object({
    id: z.string(),
    createdAt: z.string(),
    targetHint: z.string(),
    origin: z.string(),
    integration: z.string().optional(),
    settings: z.object({ hidden: z.boolean(), starred: z.boolean() }),
    status: agentStatus.status,
    options: z.object({
      urls: z.array(z.string()),
      prompt: z.string(),
      schema: z.unknown().optional(),
      model: z.string(),
      effort,
    }),
  })
  .meta({ id: 'AgentListItem' })

export const agentThread = z
  .object({
    id: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    status: z.enum(['idle', 'running']),
    runs: z.array(
      z.object({
        id: z.string(),
        turn: z.int(),
        mode,
        prompt: z.string(),
        urls: z.array(z.string()),
        schema: z.unknown().optional(),
        effort,
        status: z.enum(['processing', 'succeeded', 'failed', 'cancelled', 'credit_limit_reached']),
        createdAt: z.string(),
        finishedAt: z.string().nullable(),
        creditsUsed: z.int(),
        message: z.string().nullable(),
        data: z.unknown().optional().describe('Only with includeData.'),
      }),
    ),
  })
  .meta({ id: 'AgentThread' })

export const traceEvent = z
  .looseObject({
    schemaVersion: z.literal(1),
    eventId: z.string(),
    runId: z.string(),
    occurredAt: z.string(),
    producerSequence: z.int(),
    agent: z.object({ id: z.string(), role: z.literal('orchestrator'), name: z.string() }),
    type: z.string(),
  })
  .meta({ id: 'AgentTraceEvent' })

import { z } from 'zod'
import { json } from '../../extraction/formats/json.ts'
import { anyJson, list, text } from '../../platform/bounded.ts'
import { conflicts, valueSources } from '../multi-page/read-pages.ts'
import { callLabels, flag } from '../scrape/schema.ts'
import { actionWebhookField } from '../webhooks/schema.ts'

/** Model names that clients send. None of these models is called: the language model of the installation is used. */
const modelNames = ['spark-1-pro', 'spark-1-mini', 'spark-2'] as const
const efforts = ['low', 'medium', 'high'] as const
const modes = ['extract', 'chat'] as const

export const agentRequest = z
  .strictObject({
    prompt: text('MAX_PROMPT_LENGTH').trim().min(1).describe('What is wanted, in words.'),
    urls: list(text('MAX_URL_LENGTH'), 'MAX_EXTRACT_URLS')
      .default([])
      .describe('Where to begin. One that ends in /* stands for pages of the site below it.'),
    schema: json.options.schema.describe('JSON schema of the values. Default: made from the prompt.'),
    maxCredits: z
      .number()
      .positive()
      .default(2500)
      .describe('No page is read and nothing is searched that could cost more than this in total.'),
    strictConstrainToURLs: flag(false, 'Read the pages of urls only.'),
    model: z
      .enum(modelNames)
      .optional()
      .describe('Has no effect here: the language model of this installation is used.'),
    effort: z.enum(efforts).optional().describe('How many steps it may take: 5, 10 or 20. Default: medium.'),
    webhook: actionWebhookField,
    threadId: text('MAX_ID_LENGTH').optional().describe('Continue this thread: earlier runs are known.'),
    mode: z
      .enum(modes)
      .default('extract')
      .describe('extract: values in data; chat: an answer in words in message.'),
    exchange: anyJson('MAX_OPTION_BYTES')
      .optional()
      .describe('Has no effect here: there are no paid providers.'),
    ...callLabels,
  })
  .meta({ id: 'AgentRequest' })

export type AgentRequest = z.output<typeof agentRequest>

const modeField = z.enum(modes)
const effort = z.enum(efforts).optional()

/** Status fields of an agent. */
export const agentStatus = {
  status: z
    .enum(['processing', 'completed', 'failed'])
    .describe('A run that was cancelled has failed, and stopReason says so: clients know no other word.'),
  data: z.unknown().optional(),
  message: z.string().optional().describe('The answer, in the mode chat.'),
  error: z.string().optional(),
  code: z.string().optional(),
  stopReason: z
    .string()
    .optional()
    .describe('Why it ended before it was done: cancelled, credit_limit_reached, step_limit, model.'),
  sources: valueSources,
  conflicts,
  model: z.string(),
  effort,
  mode: modeField,
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
        mode: modeField,
        prompt: z.string(),
        urls: z.array(z.string()),
        schema: z.unknown().optional(),
        effort,
        status: z.enum(['processing', 'succeeded', 'failed', 'cancelled', 'credit_limit_reached']),
        createdAt: z.string(),
        finishedAt: z.string().nullable(),
        creditsUsed: z.int(),
        message: z.string().nullable(),
        data: z.unknown().optional().describe('With includeData.'),
      }),
    ),
  })
  .meta({ id: 'AgentThread' })

/** Common fields of a trace event. Events have further fields that depend on the type. */
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

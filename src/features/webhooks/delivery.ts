import { z } from 'zod'
import type { DeliveryRow, WebhookRow } from '../../store/deliveries.ts'
import { storedJson } from '../../store/stored-json.ts'
import { type EventName, shortName, type Webhook } from './schema.ts'

const headers = storedJson({ table: 'webhooks', column: 'headers' }, z.record(z.string(), z.string()))
const metadata = storedJson({ table: 'webhooks', column: 'metadata' }, z.record(z.string(), z.unknown()))
const events = storedJson({ table: 'webhooks', column: 'events' }, z.array(z.string()))

export function writeWebhook(webhook: Webhook): Omit<WebhookRow, 'job_id' | 'kind'> {
  return {
    url: webhook.url,
    headers: headers.write(webhook.headers),
    metadata: webhook.metadata === undefined ? null : metadata.write(webhook.metadata),
    events: events.write((webhook.events ?? []).map(shortName)),
  }
}

export function isSubscribed(row: WebhookRow, event: EventName): boolean {
  const subscribed = events.read(row.events)
  return subscribed.length === 0 || subscribed.includes(event)
}

export const isNamedEvent = (row: WebhookRow, event: EventName) => events.read(row.events).includes(event)

export const headersOf = (row: WebhookRow) => headers.read(row.headers)

export const metadataOf = (row: WebhookRow) =>
  row.metadata === null ? undefined : metadata.read(row.metadata)

const attempt = z.object({
  at: z.string(),
  ms: z.int().describe('Duration of the attempt.'),
  status: z.int().optional().describe('Response of the receiver.'),
  error: z.string().optional(),
})

const log = storedJson({ table: 'deliveries', column: 'log' }, z.array(attempt))

const maxLoggedAttempts = 20

export const readAttempts = log.read
export const noAttempts = log.write([])

export const withAttempt = (text: string, last: z.output<typeof attempt>) =>
  log.write([...log.read(text), last].slice(-maxLoggedAttempts))

/** Documents are read at the time of sending, so that events do not store copies. */
export async function payloadOf(
  webhook: WebhookRow,
  row: DeliveryRow,
  documentOf: (delivery: DeliveryRow) => Promise<unknown>,
) {
  const metadata = metadataOf(webhook)
  return {
    success: row.error === null && !/\.(?:failed|cancelled)$/.test(row.event),
    type: row.event,
    id: row.job_id,
    webhookId: row.id,
    data: row.child_id === null ? [] : [await documentOf(row)],
    ...(row.error === null ? {} : { error: row.error }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

export const delivery = z.object({
  webhookId: z.string().describe('Id of the delivery, the same in all its attempts.'),
  id: z.string().describe('Id of the job that the event is about.'),
  type: z.string().describe('Event type and payload.'),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.array(attempt),
  createdAt: z.string(),
  nextAttemptAt: z.string().optional().describe('Present while the delivery waits.'),
})

/** Delivery with its payload. Headers are omitted, because they may contain credentials of the receiver. */
export const deliveryDetails = delivery.extend({
  url: z.string().optional().describe('URL of the receiver; absent after the webhook of the job is removed.'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Payload with the documents as currently stored; absent together with the url.'),
})

export type DeliveryDetails = z.output<typeof deliveryDetails>

export type Delivery = z.output<typeof delivery>

export function toDeliveryResponse(row: DeliveryRow): Delivery {
  return {
    webhookId: row.id,
    id: row.job_id,
    type: row.event,
    state: row.state,
    attempts: readAttempts(row.log),
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.state === 'waiting' ? { nextAttemptAt: new Date(row.next_at).toISOString() } : {}),
  }
}

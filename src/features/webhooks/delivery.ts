import { z } from 'zod'
import type { DeliveryRow, WebhookRow } from '../../store/deliveries.ts'
import { storedJson } from '../../store/stored-json.ts'
import { type EventName, shortName, type Webhook } from './schema.ts'

const headers = storedJson({ table: 'webhooks', column: 'headers' }, z.record(z.string(), z.string()))
const metadata = storedJson({ table: 'webhooks', column: 'metadata' }, z.record(z.string(), z.unknown()))
/** Empty: all of them. */
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
  const wanted = events.read(row.events)
  return wanted.length === 0 || wanted.includes(event)
}

/** Whether it was asked for by its name, not only by asking for all. */
export function isEventName(row: WebhookRow, event: EventName): boolean {
  return events.read(row.events).includes(event)
}

export function headersOf(row: WebhookRow): Record<string, string> {
  return headers.read(row.headers)
}

export function metadataOf(row: WebhookRow): Record<string, unknown> | undefined {
  return row.metadata === null ? undefined : metadata.read(row.metadata)
}

/** One attempt as the log of a delivery keeps it, and as it is shown. */
export const attempt = z.object({
  at: z.string(),
  ms: z.int().describe('How long the attempt took.'),
  status: z.int().optional().describe('What the receiver answered.'),
  error: z.string().optional(),
})

const log = storedJson({ table: 'deliveries', column: 'log' }, z.array(attempt))

const keptAttempts = 20

export const readAttempts = log.read
export const noAttempts = log.write([])

export function withAttempt(text: string, last: z.output<typeof attempt>): string {
  return log.write([...log.read(text), last].slice(-keptAttempts))
}

/** What a receiver is sent. Documents are read when they are needed: an event does not keep a copy of its own. */
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

/** A delivery as its team sees it. */
export const delivery = z.object({
  webhookId: z.string().describe('Id of the delivery, the same in all its attempts.'),
  id: z.string().describe('Id of the job that the event is about.'),
  type: z.string().describe('The event.'),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.array(attempt),
  createdAt: z.string(),
  nextAttemptAt: z.string().optional().describe('Present while it waits.'),
})

/** One delivery with what goes over the wire. Headers are left out: they hold what the receiver knows callers by. */
export const deliveryDetails = delivery.extend({
  url: z.string().optional().describe('Where it is sent; absent once the webhook of the job is removed.'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What is sent, with the documents as they are kept now; absent with the url.'),
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

import { z } from 'zod'
import type { WebhookRow } from '../store/deliveries.ts'
import { storedJson } from '../store/stored-json.ts'
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

export function wantsEvent(row: WebhookRow, event: EventName): boolean {
  const wanted = events.read(row.events)
  return wanted.length === 0 || wanted.includes(event)
}

/** Whether it was asked for by its name, not only by asking for all. */
export function namesEvent(row: WebhookRow, event: EventName): boolean {
  return events.read(row.events).includes(event)
}

export function headersOf(row: WebhookRow): Record<string, string> {
  return headers.read(row.headers)
}

export function metadataOf(row: WebhookRow): Record<string, unknown> | undefined {
  return row.metadata === null ? undefined : metadata.read(row.metadata)
}

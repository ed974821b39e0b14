import type { DeliveryRow, WebhookRow } from '../store/deliveries.ts'
import { metadataOf } from './webhook-row.ts'

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

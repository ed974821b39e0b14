import { z } from 'zod'
import type { DeliveryRow } from '../store/deliveries.ts'
import { attempt, readAttempts } from './attempts.ts'

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

export function shownDelivery(row: DeliveryRow): Delivery {
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

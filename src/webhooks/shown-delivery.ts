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

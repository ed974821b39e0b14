import { z } from 'zod'
import { callLabels } from '../../features/scrape/schema.ts'
import { delivery, deliveryDetails } from '../../features/webhooks/delivery.ts'
import { webhookSettings } from '../../features/webhooks/schema.ts'
import { text } from '../../platform/bounded.ts'
import { defineEndpoint, envelope, ok, okPage, pageOf } from '../endpoint.ts'

const deliveryId = z.object({ id: text('MAX_ID_LENGTH').describe('The webhookId of the delivery.') })
const deliveryResponse = delivery.meta({ id: 'Delivery' })

export const getDeliveries = defineEndpoint({
  method: 'GET',
  path: '/v2/webhooks/deliveries',
  summary: 'List what was sent to webhooks, newest first',
  tag: 'Webhooks',
  query: z.object({
    jobId: z.uuid().optional().describe('Only events of this job.'),
    state: z.enum(['waiting', 'delivered', 'failed']).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    cursor: z.uuid().optional().describe('The cursor of the answer before.'),
  }),
  response: pageOf(deliveryResponse),
  async handle({ app, team, query }) {
    const { jobId, state, cursor: before, limit } = query
    const { deliveries, cursor } = await app.deliveries(team, { jobId, state, cursor: before, limit })
    return okPage(deliveries, cursor)
  },
})

export const getDelivery = defineEndpoint({
  method: 'GET',
  path: '/v2/webhooks/deliveries/{id}',
  summary: 'Read a delivery with its address and what is sent there',
  tag: 'Webhooks',
  params: deliveryId,
  response: envelope({ data: deliveryDetails.meta({ id: 'DeliveryDetails' }) }),
  errors: ['DELIVERY_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.delivery(team, params.id) }),
})

export const postDeliveryReplay = defineEndpoint({
  method: 'POST',
  path: '/v2/webhooks/deliveries/{id}/replay',
  summary: 'Send an event once more, under the id it had',
  tag: 'Webhooks',
  params: deliveryId,
  response: envelope({ data: deliveryResponse }),
  errors: ['DELIVERY_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.replayDelivery(team, params.id) }),
})

export const postWebhookTest = defineEndpoint({
  method: 'POST',
  path: '/v2/webhooks/test',
  summary: 'Send an event of no job, to see whether a receiver works',
  tag: 'Webhooks',
  body: z.strictObject({ webhook: webhookSettings.describe('As in a crawl or a batch.'), ...callLabels }),
  response: envelope({ webhookId: z.string().describe('Look for it among the deliveries.') }),
  errors: ['TARGET_FORBIDDEN'],
  handle: async ({ app, team, body }) => ok({ webhookId: await app.fireTestWebhook(team, body.webhook) }),
})

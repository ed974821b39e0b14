import { z } from 'zod'
import { callLabels } from '../../features/scrape/schema.ts'
import { delivery, deliveryDetails } from '../../features/webhooks/delivery.ts'
import { webhookSettings } from '../../features/webhooks/schema.ts'
import { boundedText } from '../../platform/bounded.ts'
import { endpointsOf, envelope, integerInQuery, ok, okPage, pageOf } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Webhooks' })
const deliveryId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('The webhookId of the delivery.') })
const deliveryResponse = delivery.meta({ id: 'Delivery' })

export const getDeliveries = defineEndpoint({
  method: 'GET',
  path: '/v2/webhooks/deliveries',
  summary: 'List webhook deliveries, newest first',
  query: z.object({
    jobId: z.uuid().optional().describe('Only events of this job.'),
    state: z.enum(['waiting', 'delivered', 'failed']).optional(),
    limit: integerInQuery(1, 100).default(50),
    cursor: z.uuid().optional().describe('Cursor of the previous page.'),
  }),
  response: pageOf(deliveryResponse),
  async handle({ app, team, query }) {
    const { deliveries, cursor } = await app.deliveries(team, query)
    return okPage(deliveries, cursor)
  },
})

export const getDelivery = defineEndpoint({
  method: 'GET',
  path: '/v2/webhooks/deliveries/{id}',
  summary: 'Get a delivery with its URL and payload',
  params: deliveryId,
  response: envelope({ data: deliveryDetails.meta({ id: 'DeliveryDetails' }) }),
  errors: ['DELIVERY_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.delivery(team, params.id) }),
})

export const postDeliveryReplay = defineEndpoint({
  method: 'POST',
  path: '/v2/webhooks/deliveries/{id}/replay',
  summary: 'Resend a webhook event with its original id',
  params: deliveryId,
  response: envelope({ data: deliveryResponse }),
  errors: ['DELIVERY_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.replayDelivery(team, params.id) }),
})

export const postWebhookTest = defineEndpoint({
  method: 'POST',
  path: '/v2/webhooks/test',
  summary: 'Send a test event to a webhook',
  body: z.strictObject({
    webhook: webhookSettings.describe('Same fields as in a crawl or a batch.'),
    ...callLabels,
  }),
  response: envelope({
    webhookId: z.string().describe('Id of the delivery; read it with GET /v2/webhooks/deliveries/{id}.'),
  }),
  errors: ['TARGET_FORBIDDEN'],
  handle: async ({ app, team, body }) => ok({ webhookId: await app.fireTestWebhook(team, body.webhook) }),
})

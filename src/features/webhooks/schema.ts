import { z } from 'zod'
import { anyObject, boundedList, boundedText, headerFields } from '../../platform/bounded.ts'
import { hasReadableCredentials } from '../../platform/url.ts'

const forbiddenHeaders =
  /^(?:host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|x-(?:service|firecrawl|winnow)-signature)$/i

const headers = headerFields({
  reserved: forbiddenHeaders,
  badValue: /[^\t\x20-\x7e]/,
  badValueMessage: 'has a character in its value that headers do not carry',
})

const url = boundedText('MAX_URL_LENGTH').refine((value) => {
  const parsed = URL.parse(value)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && hasReadableCredentials(parsed)
}, 'The webhook needs an http or https address')

const pageEvents = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
const actionEvents = ['started', 'action', 'completed', 'failed', 'cancelled'] as const
export type EventName = (typeof pageEvents | typeof actionEvents)[number]

function createSettings(names: readonly EventName[]) {
  const event = boundedText('MAX_EVENT_LENGTH').refine(
    (name) => names.some((eventName) => eventName === shortName(name)),
    `An event is one of ${names.join(', ')}`,
  )
  return z.strictObject({
    url,
    headers: headers.default({}).describe('Headers sent with each delivery.'),
    metadata: anyObject('MAX_METADATA_BYTES').optional().describe('Returned unchanged in each delivery.'),
    events: boundedList(event, 'MAX_WEBHOOK_EVENTS')
      .optional()
      .describe('Events that are delivered. Default: all.'),
  })
}

export type Webhook = z.output<ReturnType<typeof createSettings>>

const orUrl = (settings: ReturnType<typeof createSettings>) =>
  z.union([url.transform((value): Webhook => ({ url: value, headers: {} })), settings])

export const webhookSettings = orUrl(createSettings(pageEvents).meta({ id: 'Webhook' }))

const description =
  'Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events.'

export const webhookField = webhookSettings.optional().describe(description)

export const actionWebhookField = orUrl(createSettings(actionEvents).meta({ id: 'AgentWebhook' }))
  .optional()
  .describe(description)

export const shortName = (event: string) => event.slice(event.lastIndexOf('.') + 1)

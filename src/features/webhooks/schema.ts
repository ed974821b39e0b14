import { z } from 'zod'
import { anyObject, headerFields, list, text } from '../../platform/bounded.ts'
import { hasReadableCredentials } from '../../platform/url.ts'

/** Headers that would break the delivery itself, or pretend to be its signature. */
const forbidden =
  /^(?:host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|x-(?:service|firecrawl|winnow)-signature)$/i

const headers = headerFields({
  reserved: forbidden,
  badValue: /[^\t\x20-\x7e]/,
  badValueSays: 'has a character in its value that headers do not carry',
})

const url = text('MAX_URL_LENGTH').refine((address) => {
  const parsed = URL.parse(address)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && hasReadableCredentials(parsed)
}, 'The webhook needs an http or https address')

const pageEvents = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
const actionEvents = ['started', 'action', 'completed', 'failed', 'cancelled'] as const
export type EventName = (typeof pageEvents | typeof actionEvents)[number]

function settingsOf(names: readonly EventName[]) {
  /** Both "page" and "crawl.page" are written. */
  const event = text('MAX_EVENT_LENGTH').refine((name) => names.some((known) => known === shortName(name)), {
    error: `An event is one of ${names.join(', ')}`,
  })
  return z.strictObject({
    url,
    headers: headers.default({}).describe('Headers sent with each delivery.'),
    metadata: anyObject('MAX_METADATA_BYTES').optional().describe('Handed back in each delivery.'),
    events: list(event, 'MAX_WEBHOOK_EVENTS').optional().describe('Events that are delivered. Default: all.'),
  })
}

export type Webhook = z.output<ReturnType<typeof settingsOf>>

/** An address alone stands for an object with nothing else in it. */
function orAddress(settings: ReturnType<typeof settingsOf>) {
  return z.union([url.transform((address): Webhook => ({ url: address, headers: {} })), settings])
}

export const webhookSettings = orAddress(settingsOf(pageEvents).meta({ id: 'Webhook' }))

const described =
  'Where events of the job are sent: an address, or an object with headers, metadata and events.'

export const webhookField = webhookSettings.optional().describe(described)

/** Of a job that tells of its actions. */
export const actionWebhookField = orAddress(settingsOf(actionEvents).meta({ id: 'AgentWebhook' }))
  .optional()
  .describe(described)

export function shortName(event: string): string {
  return event.slice(event.lastIndexOf('.') + 1)
}

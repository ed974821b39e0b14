import { z } from 'zod'

/** Headers that would break the delivery itself, or pretend to be its signature. */
const forbidden =
  /^(?:host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|x-(?:service|firecrawl)-signature)$/i

const headers = z.record(z.string().max(200), z.string().max(4000)).superRefine((given, context) => {
  if (Object.keys(given).length > 50) context.addIssue({ code: 'custom', message: 'At most 50 headers.' })
  for (const [name, value] of Object.entries(given)) {
    const problem = !/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)
      ? 'is not a header name'
      : forbidden.test(name)
        ? 'is set by the service itself'
        : /[^\t\x20-\x7e]/.test(value)
          ? 'has a character in its value that headers do not carry'
          : undefined
    if (problem) context.addIssue({ code: 'custom', path: [name], message: `Header "${name}" ${problem}` })
  }
})

const url = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'The webhook needs an http or https address',
  )

export const eventNames = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventName = (typeof eventNames)[number]

/** Both "page" and "crawl.page" are written. */
const event = z.string().refine((name) => eventNames.some((known) => known === shortName(name)), {
  error: `An event is one of ${eventNames.join(', ')}`,
})

const settings = z.strictObject({
  url,
  headers: headers.default({}).describe('Headers sent with each delivery.'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Handed back in each delivery.'),
  events: z.array(event).max(50).optional().describe('Events that are delivered. Default: all.'),
})

/** An address alone stands for an object with nothing else in it. */
export const webhookSettings = z.union([
  url.transform((address): Webhook => ({ url: address, headers: {} })),
  settings,
])

export const webhookField = webhookSettings
  .optional()
  .describe('Where events of the job are sent: an address, or an object with headers, metadata and events.')

export type Webhook = z.output<typeof settings>

export function shortName(event: string): string {
  return event.slice(event.lastIndexOf('.') + 1)
}

/** Why a delivery is not to be trusted. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  readonly reason: 'missing' | 'malformed' | 'wrong'

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** What the service sends to a webhook. */
export interface WebhookEvent {
  success: boolean
  /** Such as crawl.page, batch_scrape.completed or extract.failed. */
  type: string
  /** Id of the job. */
  id: string
  /** Id of the delivery, the same when it is sent again: what was seen before is a repetition. */
  webhookId: string
  /** The document of the event, where it has one. */
  data: unknown[]
  error?: string
  /** What the webhook was set up with. */
  metadata?: Record<string, unknown>
}

/**
 * The event in a delivery, or a WebhookSignatureError.
 * @param body The bytes as they came, or their text. Parsed and written again they have another signature.
 * @param signatureHeader The header x-service-signature (or x-firecrawl-signature, which is the same).
 * @param secret Of the team; several while it is being changed.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  signatureHeader: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const signature = signatureBytes(signatureHeader)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some((one) => one === ''))
    throw new TypeError('The secret is empty, so anybody could sign with it.')
  let isGenuine = false
  // All of them, so that the time does not tell which one it was.
  for (const one of secrets) isGenuine = (await isSignedBy(bytes, signature, one)) || isGenuine
  if (!isGenuine) {
    const message = 'The signature is wrong: another secret, or not the bytes that were sent.'
    throw new WebhookSignatureError('wrong', message)
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
}

function signatureBytes(header: string | readonly string[] | null | undefined): Uint8Array<ArrayBuffer> {
  const text = typeof header === 'string' ? header : header?.[0]
  if (!text) {
    const message = 'The delivery has no signature. An operator makes a secret with webhookSecret: "new".'
    throw new WebhookSignatureError('missing', message)
  }
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(text.trim())?.[1]
  if (hex === undefined || (typeof header !== 'string' && header?.length !== 1)) {
    throw new WebhookSignatureError('malformed', 'The signature is not of the form sha256=<64 hex digits>.')
  }
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Web Crypto compares in constant time, and is there in every runtime. */
async function isSignedBy(
  bytes: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, signature, bytes)
}

/** Error for a delivery without a valid signature. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  /** `expired` means that the signature is valid, but its time differs too much from the current time. */
  readonly reason: 'missing' | 'malformed' | 'wrong' | 'expired'

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Event that the service sends to a webhook. */
export interface WebhookEvent {
  success: boolean
  /** Event type, such as crawl.page, batch_scrape.completed or extract.failed. */
  type: string
  /** Id of the job. */
  id: string
  /** Id of the delivery. A resent delivery has the same id, so that receivers can detect duplicates. */
  webhookId: string
  /** Document of the event; empty if the event has no document. */
  data: unknown[]
  error?: string
  /** Metadata from the configuration of the webhook. */
  metadata?: Record<string, unknown>
}

export interface VerifyOptions {
  /**
   * Maximum difference between the time in x-winnow-signature and now. Default: 300 seconds. Infinity accepts any time.
   */
  toleranceSeconds?: number
}

/**
 * Verifies a delivery and returns its event. Throws a WebhookSignatureError if the signature is not valid.
 * @param body Received bytes, or their text. JSON that was parsed and serialized again has another signature.
 * @param signatureHeader Header x-winnow-signature, whose time is also checked. The headers x-service-signature and
 * x-firecrawl-signature are also accepted, but have no time. Do not fall back to them: an attacker who replays an old
 * delivery would omit the header with the time.
 * @param secret Webhook secret of the team; several secrets during a rotation.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  signatureHeader: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number from 0 on.')
  const { seconds, signature } = parseSignatureHeader(signatureHeader)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = seconds === undefined ? bytes : concat(new TextEncoder().encode(`${seconds}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some((candidate) => candidate === ''))
    throw new TypeError('The secret is empty, so anybody could sign with it.')
  let isValid = false
  // All secrets are checked, so that the duration does not reveal which secret matched.
  for (const candidate of secrets) isValid = (await isSignedBy(signed, signature, candidate)) || isValid
  if (!isValid) {
    const message = 'The signature is wrong: another secret, or not the bytes that were sent.'
    throw new WebhookSignatureError('wrong', message)
  }
  if (seconds !== undefined && Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceSeconds) {
    const message = `The signature is of another time: ${seconds}. Someone else repeats the delivery, or a clock is wrong.`
    throw new WebhookSignatureError('expired', message)
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
}

interface SignatureHeader {
  /** Seconds as received, because the signature covers this text. */
  seconds: string | undefined
  signature: Uint8Array<ArrayBuffer>
}

function parseSignatureHeader(header: string | readonly string[] | null | undefined): SignatureHeader {
  const text = typeof header === 'string' ? header : header?.[0]
  if (!text) {
    const message = 'The delivery has no signature. An operator makes a secret with webhookSecret: "new".'
    throw new WebhookSignatureError('missing', message)
  }
  const [, seconds, hex] = /^(?:sha256|t=(\d{1,12}),v1)=([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (hex === undefined || (typeof header !== 'string' && header?.length !== 1)) {
    const message =
      'The signature is neither of the form t=<seconds>,v1=<64 hex digits> nor sha256=<64 hex digits>.'
    throw new WebhookSignatureError('malformed', message)
  }
  return { seconds, signature: Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) }
}

function concat(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** True if the signature is valid. Web Crypto compares in constant time and exists in every runtime. */
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

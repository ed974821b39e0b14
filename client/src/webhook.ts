/** Why a delivery is not to be trusted. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  /** expired: the signature is genuine, and its time is not near enough. */
  readonly reason: 'missing' | 'malformed' | 'wrong' | 'expired'

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

export interface VerifyOptions {
  /** How far the time in x-winnow-signature may be from now: 300 seconds unless given. Infinity takes any. */
  toleranceSeconds?: number
}

/**
 * The event in a delivery, or a WebhookSignatureError.
 * @param body The bytes as they came, or their text. Parsed and written again they have another signature.
 * @param signatureHeader The header x-winnow-signature, whose time is checked too. Also taken: x-service-signature and
 * x-firecrawl-signature, which are the same and have no time. Do not fall back to them: an attacker who replays an old delivery
 * would leave out the one with the time.
 * @param secret Of the team; several while it is being changed.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  signatureHeader: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number from 0 on.')
  const { seconds, signature } = readHeader(signatureHeader)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = seconds === undefined ? bytes : joined(new TextEncoder().encode(`${seconds}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some((one) => one === ''))
    throw new TypeError('The secret is empty, so anybody could sign with it.')
  let isGenuine = false
  // All of them, so that the time does not tell which one it was.
  for (const one of secrets) isGenuine = (await isSignedBy(signed, signature, one)) || isGenuine
  if (!isGenuine) {
    const message = 'The signature is wrong: another secret, or not the bytes that were sent.'
    throw new WebhookSignatureError('wrong', message)
  }
  if (seconds !== undefined && Math.abs(Date.now() / 1000 - Number(seconds)) > toleranceSeconds) {
    const message = `The signature is of another time: ${seconds}. Someone else repeats the delivery, or a clock is wrong.`
    throw new WebhookSignatureError('expired', message)
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
}

interface ReadHeader {
  /** As written: they are part of what is signed. */
  seconds: string | undefined
  signature: Uint8Array<ArrayBuffer>
}

function readHeader(header: string | readonly string[] | null | undefined): ReadHeader {
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

function joined(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
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

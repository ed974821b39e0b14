import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The signature is over the very bytes that are sent, under the name of the description and the one clients look for. */
export async function signatureHeaders(
  body: Buffer,
  secret: string | undefined,
): Promise<Record<string, string>> {
  if (secret === undefined) return {}
  const signature = `sha256=${await signed(body, secret)}`
  return { 'x-service-signature': signature, 'x-firecrawl-signature': signature }
}

const signedAtOnce = 1024 * 1024

/** Part by part, with turns of the loop between them: a document may be long. */
async function signed(body: Buffer, secret: string): Promise<string> {
  const signer = createHmac('sha256', secret)
  for (let at = 0; at < body.length; at += signedAtOnce) {
    signer.update(body.subarray(at, at + signedAtOnce))
    if (at + signedAtOnce < body.length) await nextTurn()
  }
  return signer.digest('hex')
}

import { createHmac, type Hmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The signature is over the very bytes that are sent, under the name of the description and the one clients look for.
 * The third one also covers the time of the attempt, so that a receiver can refuse what someone else sends again later.
 */
export async function signatureHeaders(
  body: Buffer,
  secret: string | undefined,
  now: number,
): Promise<Record<string, string>> {
  if (secret === undefined) return {}
  const seconds = Math.floor(now / 1000)
  const plain = createHmac('sha256', secret)
  const timed = createHmac('sha256', secret).update(`${seconds}.`)
  await updateAll([plain, timed], body)
  const signature = `sha256=${plain.digest('hex')}`
  return {
    'x-service-signature': signature,
    'x-firecrawl-signature': signature,
    'x-winnow-signature': `t=${seconds},v1=${timed.digest('hex')}`,
  }
}

const signedAtOnce = 1024 * 1024

/** Part by part, with turns of the loop between them: a document may be long. */
async function updateAll(signers: Hmac[], body: Buffer): Promise<void> {
  for (let at = 0; at < body.length; at += signedAtOnce) {
    for (const signer of signers) signer.update(body.subarray(at, at + signedAtOnce))
    if (at + signedAtOnce < body.length) await nextTurn()
  }
}

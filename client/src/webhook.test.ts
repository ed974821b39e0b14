import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../src/webhooks/signature.ts'
import { verifyWebhook } from './webhook.ts'

const event = { type: 'crawl.page', id: '1', webhookId: '2', success: true, data: [{ markdown: 'Grüße ☂' }] }
const body = JSON.stringify(event)
const signed = async (text = body, secret = 'secret') =>
  (await signatureHeaders(Buffer.from(text), secret))['x-service-signature']

describe('a delivery', () => {
  it('is the event where the service has signed it, as text or as bytes, by one of the secrets', async () => {
    expect(await verifyWebhook(body, await signed(), 'secret')).toEqual(event)
    expect(await verifyWebhook(Buffer.from(body), await signed(), ['newer', 'secret'])).toEqual(event)
    const { buffer } = new Uint8Array(Buffer.from(body))
    expect(await verifyWebhook(buffer, [(await signed()) ?? ''], 'secret')).toEqual(event)
    // A view of a larger buffer, as Node hands them out.
    const view = Buffer.from(`..${body}..`).subarray(2, -2)
    expect(await verifyWebhook(view, await signed(), 'secret')).toEqual(event)
  })

  it.each([
    ['another body', `${body} `, undefined, 'secret', 'wrong'],
    ['another secret', body, undefined, 'other', 'wrong'],
    ['no signature', body, null, 'secret', 'missing'],
    ['an empty signature', body, '', 'secret', 'missing'],
    ['a signature that is too short', body, 'sha256=00ff', 'secret', 'malformed'],
    ['another algorithm', body, `sha1=${'0'.repeat(40)}`, 'secret', 'malformed'],
    ['letters that are no digits', body, `sha256=${'g'.repeat(64)}`, 'secret', 'malformed'],
    ['two signatures', body, ['sha256=', `sha256=${'0'.repeat(64)}`], 'secret', 'malformed'],
  ])('is refused with %s', async (_, text, given, secret, reason) => {
    const header = given === undefined ? await signed() : given
    await expect(verifyWebhook(text, header, secret)).rejects.toMatchObject({
      ...{ name: 'WebhookSignatureError', reason },
    })
  })

  it('is refused where anybody could have signed it', async () => {
    const forged = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`
    for (const secret of ['', [], ['secret', '']])
      await expect(verifyWebhook(body, forged, secret)).rejects.toThrow('The secret is empty')
  })
})

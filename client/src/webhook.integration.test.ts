import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../src/features/webhooks/deliverer.ts'
import { verifyWebhook } from './webhook.ts'

const event = { type: 'crawl.page', id: '1', webhookId: '2', success: true, data: [{ markdown: 'Grüße ☂' }] }
const body = JSON.stringify(event)
const sign = async (name = 'x-service-signature', time = Date.now()) =>
  (await signatureHeaders(Buffer.from(body), 'secret', time))[name]
const signWithTime = (secondsAgo = 0) => sign('x-winnow-signature', Date.now() - secondsAgo * 1000)

describe('verifyWebhook', () => {
  it('returns the event for text or bytes that one of the secrets has signed', async () => {
    expect(await verifyWebhook(body, await sign(), 'secret')).toEqual(event)
    expect(await verifyWebhook(Buffer.from(body), await sign(), ['newer', 'secret'])).toEqual(event)
    const { buffer } = new Uint8Array(Buffer.from(body))
    expect(await verifyWebhook(buffer, [(await sign()) ?? ''], 'secret')).toEqual(event)
    // Node often returns views of a larger buffer.
    const view = Buffer.from(`..${body}..`).subarray(2, -2)
    expect(await verifyWebhook(view, await sign(), 'secret')).toEqual(event)
  })

  it.each([
    ['another body', `${body} `, undefined, 'secret', 'wrong'],
    ['another secret', body, undefined, 'other', 'wrong'],
    ['no signature', body, null, 'secret', 'missing'],
    ['an empty signature', body, '', 'secret', 'missing'],
    ['a signature that is too short', body, 'sha256=00ff', 'secret', 'malformed'],
    ['another algorithm', body, `sha1=${'0'.repeat(40)}`, 'secret', 'malformed'],
    ['letters that are no digits', body, `sha256=${'g'.repeat(64)}`, 'secret', 'malformed'],
    ['a time without digits', body, `t=now,v1=${'0'.repeat(64)}`, 'secret', 'malformed'],
    ['no time', body, `v1=${'0'.repeat(64)}`, 'secret', 'malformed'],
    ['two signatures', body, ['sha256=', `sha256=${'0'.repeat(64)}`], 'secret', 'malformed'],
  ])('rejects %s', async (_, text, signatureHeader, secret, reason) => {
    const header = signatureHeader === undefined ? await sign() : signatureHeader
    await expect(verifyWebhook(text, header, secret)).rejects.toMatchObject({
      ...{ name: 'WebhookSignatureError', reason },
    })
  })

  it('accepts a signature whose time is within the tolerance', async () => {
    for (const secondsAgo of [0, 200, -200])
      expect(await verifyWebhook(body, await signWithTime(secondsAgo), ['newer', 'secret'])).toEqual(event)
    expect(
      await verifyWebhook(body, await signWithTime(3000), 'secret', {
        toleranceSeconds: Number.POSITIVE_INFINITY,
      }),
    ).toEqual(event)
  })

  it.each([
    ['a time long past', 400, undefined],
    ['a time to come', -400, undefined],
    ['a time beyond the own tolerance', 20, 10],
  ])('rejects %s', async (_, secondsAgo, toleranceSeconds = 300) => {
    const result = verifyWebhook(body, await signWithTime(secondsAgo), 'secret', { toleranceSeconds })
    await expect(result).rejects.toMatchObject({ name: 'WebhookSignatureError', reason: 'expired' })
  })

  it('rejects a signature with another time, body or secret', async () => {
    const now = Math.floor(Date.now() / 1000)
    const expired = (await signWithTime(3000)) ?? ''
    const wrong = { name: 'WebhookSignatureError', reason: 'wrong' }
    const withCurrentTime = expired.replace(/^t=\d+/, `t=${now}`)
    await expect(verifyWebhook(body, withCurrentTime, 'secret')).rejects.toMatchObject(wrong)
    await expect(verifyWebhook(`${body} `, await signWithTime(), 'secret')).rejects.toMatchObject(wrong)
    await expect(verifyWebhook(body, await signWithTime(), 'other')).rejects.toMatchObject(wrong)
    // A signature without a time is not valid with a time.
    const withAddedTime = ((await sign()) ?? '').replace('sha256=', `t=${now},v1=`)
    await expect(verifyWebhook(body, withAddedTime, 'secret')).rejects.toMatchObject(wrong)
  })

  it.each([-1, Number.NaN])('throws for the tolerance %d', async (toleranceSeconds) => {
    const result = verifyWebhook(body, await signWithTime(), 'secret', { toleranceSeconds })
    await expect(result).rejects.toThrow('toleranceSeconds')
  })

  it('throws for an empty secret', async () => {
    const forged = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`
    for (const secret of ['', [], ['secret', '']])
      await expect(verifyWebhook(body, forged, secret)).rejects.toThrow('The secret is empty')
  })
})

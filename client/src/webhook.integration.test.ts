import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../src/features/webhooks/deliverer.ts'
import { verifyWebhook } from './webhook.ts'

const event = { type: 'crawl.page', id: '1', webhookId: '2', success: true, data: [{ markdown: 'Grüße ☂' }] }
const body = JSON.stringify(event)
const signed = async (name = 'x-service-signature', at = Date.now()) =>
  (await signatureHeaders(Buffer.from(body), 'secret', at))[name]
const timed = (secondsAgo = 0) => signed('x-winnow-signature', Date.now() - secondsAgo * 1000)

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
    ['a time without digits', body, `t=now,v1=${'0'.repeat(64)}`, 'secret', 'malformed'],
    ['no time', body, `v1=${'0'.repeat(64)}`, 'secret', 'malformed'],
    ['two signatures', body, ['sha256=', `sha256=${'0'.repeat(64)}`], 'secret', 'malformed'],
  ])('is refused with %s', async (_, text, given, secret, reason) => {
    const header = given === undefined ? await signed() : given
    await expect(verifyWebhook(text, header, secret)).rejects.toMatchObject({
      ...{ name: 'WebhookSignatureError', reason },
    })
  })

  it('is the event where its signature names a time that is near', async () => {
    for (const secondsAgo of [0, 200, -200])
      expect(await verifyWebhook(body, await timed(secondsAgo), ['newer', 'secret'])).toEqual(event)
    expect(
      await verifyWebhook(body, await timed(3000), 'secret', { toleranceSeconds: Number.POSITIVE_INFINITY }),
    ).toEqual(event)
  })

  it.each([
    ['a time long past', 400, undefined],
    ['a time to come', -400, undefined],
    ['a time beyond the own tolerance', 20, 10],
  ])('is refused with %s', async (_, secondsAgo, toleranceSeconds = 300) => {
    const checked = verifyWebhook(body, await timed(secondsAgo), 'secret', { toleranceSeconds })
    await expect(checked).rejects.toMatchObject({ name: 'WebhookSignatureError', reason: 'expired' })
  })

  it('is refused where its time, its body or its secret is another than the signed one', async () => {
    const now = Math.floor(Date.now() / 1000)
    const old = (await timed(3000)) ?? ''
    const wrong = { name: 'WebhookSignatureError', reason: 'wrong' }
    const renewed = old.replace(/^t=\d+/, `t=${now}`)
    await expect(verifyWebhook(body, renewed, 'secret')).rejects.toMatchObject(wrong)
    await expect(verifyWebhook(`${body} `, await timed(), 'secret')).rejects.toMatchObject(wrong)
    await expect(verifyWebhook(body, await timed(), 'other')).rejects.toMatchObject(wrong)
    // The signature without a time is none with one.
    const untimed = ((await signed()) ?? '').replace('sha256=', `t=${now},v1=`)
    await expect(verifyWebhook(body, untimed, 'secret')).rejects.toMatchObject(wrong)
  })

  it.each([-1, Number.NaN])('is not checked with the tolerance %d', async (toleranceSeconds) => {
    const checked = verifyWebhook(body, await timed(), 'secret', { toleranceSeconds })
    await expect(checked).rejects.toThrow('toleranceSeconds')
  })

  it('is refused where anybody could have signed it', async () => {
    const forged = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`
    for (const secret of ['', [], ['secret', '']])
      await expect(verifyWebhook(body, forged, secret)).rejects.toThrow('The secret is empty')
  })
})

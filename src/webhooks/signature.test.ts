import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from './signature.ts'

describe('the signature of a delivery', () => {
  it.each([0, 10, 1024 * 1024, 3 * 1024 * 1024 + 1])('is over all of its bytes: %i', async (size) => {
    const body = Buffer.alloc(size, 'winnow')
    const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`
    expect(await signatureHeaders(body, 'secret')).toEqual({
      'x-service-signature': signature,
      'x-firecrawl-signature': signature,
    })
  })

  it('is not there without a secret', async () => {
    expect(await signatureHeaders(Buffer.from('body'), undefined)).toEqual({})
  })
})

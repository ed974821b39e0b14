import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from './deliverer.ts'

describe('signatureHeaders', () => {
  it.each([0, 10, 1024 * 1024, 3 * 1024 * 1024 + 1])('signs all bytes of the body: %i', async (size) => {
    const body = Buffer.alloc(size, 'winnow')
    const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`
    const timed = createHmac('sha256', 'secret').update('1700000000.').update(body).digest('hex')
    expect(await signatureHeaders(body, 'secret', 1_700_000_000_999)).toEqual({
      'x-service-signature': signature,
      'x-firecrawl-signature': signature,
      'x-winnow-signature': `t=1700000000,v1=${timed}`,
    })
  })

  it('returns no headers without a secret', async () => {
    expect(await signatureHeaders(Buffer.from('body'), undefined, 0)).toEqual({})
  })
})

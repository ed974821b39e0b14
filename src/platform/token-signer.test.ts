import { describe, expect, it } from 'vitest'
import { createTokenSigner } from './token-signer.ts'

describe('tokenSigner', () => {
  const signer = createTokenSigner(async () => 'secret')

  it('accepts a token for its own claim only', async () => {
    const token = await signer.sign('view 1')
    expect(await signer.verify('view 1', token)).toBe(true)
    expect(await signer.verify('control 1', token)).toBe(false)
  })

  it.each(['', 'a', 'a'.repeat(43), 'ü'.repeat(43)])('rejects the token %j', async (token) => {
    expect(await signer.verify('view 1', token)).toBe(false)
  })

  it('rejects a token that was signed with another secret', async () => {
    const token = await createTokenSigner(async () => 'another').sign('view 1')
    expect(await signer.verify('view 1', token)).toBe(false)
  })

  it('loads the secret again after a failure, and then caches it', async () => {
    let loads = 0
    const retryingSigner = createTokenSigner(async () => {
      loads += 1
      if (loads === 1) throw new Error('the store is away')
      return 'secret'
    })
    await expect(retryingSigner.sign('view 1')).rejects.toThrow('the store is away')
    expect(await retryingSigner.sign('view 1')).toBe(await signer.sign('view 1'))
    await retryingSigner.sign('view 2')
    expect(loads).toBe(2)
  })
})

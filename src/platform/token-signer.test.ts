import { describe, expect, it } from 'vitest'
import { tokenSigner } from './token-signer.ts'

describe('a signed token', () => {
  const signer = tokenSigner(async () => 'secret')

  it('is genuine for what it was signed for, and for nothing else', async () => {
    const token = await signer.sign('view 1')
    expect(await signer.isGenuine('view 1', token)).toBe(true)
    expect(await signer.isGenuine('control 1', token)).toBe(false)
  })

  it.each(['', 'a', 'a'.repeat(43), 'ü'.repeat(43)])('is not genuine as %j', async (token) => {
    expect(await signer.isGenuine('view 1', token)).toBe(false)
  })

  it('of another installation is not genuine', async () => {
    const token = await tokenSigner(async () => 'another').sign('view 1')
    expect(await signer.isGenuine('view 1', token)).toBe(false)
  })

  it('is signed once the secret can be loaded', async () => {
    let tries = 0
    const late = tokenSigner(async () => {
      tries += 1
      if (tries === 1) throw new Error('the store is away')
      return 'secret'
    })
    await expect(late.sign('view 1')).rejects.toThrow('the store is away')
    expect(await late.sign('view 1')).toBe(await signer.sign('view 1'))
    await late.sign('view 2')
    expect(tries).toBe(2)
  })
})

import { describe, expect, it } from 'vitest'
import { proxyTier } from './app.ts'

const proxies = { basic: undefined, enhanced: 'http://user-{country}:secret@proxy.example:8080' }

describe('proxyTier()', () => {
  it('has no upstream if no proxy is configured', () => {
    expect(proxyTier('basic', { proxies }, { country: 'DE' })).toEqual({
      ...{ name: 'basic', upstream: undefined, asBrowser: false },
    })
  })

  it.each([
    ['DE', 'user-de'],
    [undefined, 'user-us'],
  ])('inserts the country into the proxy credentials: %s', (country, user) => {
    const tier = proxyTier('enhanced', { proxies }, { country })
    expect(tier).toMatchObject({ name: 'enhanced', asBrowser: true })
    expect(tier.upstream?.username).toBe(user)
  })
})

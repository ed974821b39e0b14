import { describe, expect, it } from 'vitest'
import { wayOut } from './ladder.ts'

const proxies = { basic: undefined, enhanced: 'http://user-{country}:secret@proxy.example:8080' }

describe('the way out', () => {
  it('is direct where no proxy is set', () => {
    expect(wayOut('basic', { proxies }, { country: 'DE' })).toEqual({
      ...{ name: 'basic', upstream: undefined, asBrowser: false },
    })
  })

  it.each([
    ['DE', 'user-de'],
    [undefined, 'user-us'],
  ])('names the country to the proxy: %s', (country, user) => {
    const way = wayOut('enhanced', { proxies }, { country })
    expect(way).toMatchObject({ name: 'enhanced', asBrowser: true })
    expect(way.upstream?.username).toBe(user)
  })
})

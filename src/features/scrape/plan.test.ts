import { describe, expect, it } from 'vitest'
import { cacheKeyVersion } from '../../store/pages.ts'
import { planScrape } from './plan.ts'
import { scrapeRequest } from './schema.ts'

const plan = (options: object = {}) =>
  planScrape(scrapeRequest.parse({ url: 'https://site.example/', ...options }), 'team')

describe('cache key', () => {
  it('is unchanged since its version was last increased', () => {
    const requests = [
      {},
      { mobile: true, location: { country: 'DE', languages: ['de'] }, proxy: 'enhanced' },
      { waitFor: 10, blockAds: false, fastMode: true, skipTlsVerification: false },
      { formats: [{ type: 'screenshot', viewport: { width: 800, height: 600 } }] },
    ]
    const keys = requests.map((options) => plan(options).cache.key.slice(0, 16))
    const recorded = ['312acb6586932672', 'cb067962b73a6bbd', '534411f649b358cc', 'c737354770d6f778']
    // If this fails, cached pages would no longer be found: increase cacheKeyVersion and record the new keys.
    expect({ cacheKeyVersion, keys }).toEqual({ cacheKeyVersion: 1, keys: recorded })
  })
})

describe('cache policy', () => {
  it('accepts a copy younger than two days by default', () => {
    expect(plan().cache).toMatchObject({
      read: { maxAge: 172_800_000, minAge: 0 },
      fetchOnMiss: true,
      write: true,
    })
  })

  it('does not read the cache with maxAge 0, but stores the page', () => {
    expect(plan({ maxAge: 0 }).cache).toMatchObject({ read: undefined, write: true })
  })

  it('never fetches when minAge is set', () => {
    expect(plan({ minAge: 1 }).cache).toMatchObject({ fetchOnMiss: false, missCode: 'SCRAPE_NO_CACHED_DATA' })
  })

  it('combines minAge and maxAge to a window', () => {
    expect(plan({ minAge: 10, maxAge: 20 }).cache.read).toEqual({ minAge: 10, maxAge: 20 })
  })

  it('accepts two years under lockdown, never fetches and stores nothing', () => {
    expect(plan({ lockdown: true })).toMatchObject({
      retain: false,
      cache: {
        read: { maxAge: 63_072_000_000 },
        fetchOnMiss: false,
        write: false,
        missCode: 'SCRAPE_LOCKDOWN_CACHE_MISS',
      },
    })
  })

  it('neither reads nor stores pages fetched with custom headers', () => {
    expect(plan({ headers: { cookie: 'a=b' } }).cache).toMatchObject({ read: undefined, write: false })
  })

  it('neither reads nor stores pages fetched with a profile', () => {
    const profile = { name: 'mine', saveChanges: false }
    expect(plan({ profile }).cache).toMatchObject({ read: undefined, write: false })
    expect(plan({ profile, storeInCache: true }).warnings).toEqual([expect.stringContaining('storeInCache')])
  })

  it('stores nothing under zero retention or with storeInCache false', () => {
    expect(plan({ zeroDataRetention: true })).toMatchObject({ retain: false, cache: { write: false } })
    expect(plan({ storeInCache: false }).cache.write).toBe(false)
  })

  it.each([
    ['certificates are demanded', { skipTlsVerification: false }],
    ['the device', { mobile: true }],
    ['the wait', { waitFor: 10 }],
    ['ads', { blockAds: false }],
    ['the place', { location: { country: 'DE' } }],
    ['the way', { proxy: 'enhanced' }],
    ['the engine', { fastMode: true }],
    ['the window', { formats: [{ type: 'screenshot', viewport: { width: 390, height: 844 } }] }],
  ])('has a different cache key for another fetch: %s', (_, options) => {
    expect(plan(options).cache.key).not.toBe(plan().cache.key)
  })

  it('ignores the fragment of a URL, except hash routes', () => {
    const key = (url: string) => planScrape(scrapeRequest.parse({ url }), 'team').cache.key
    expect(key('https://site.example/#part')).toBe(key('https://site.example/'))
    expect(key('https://site.example/#/route')).not.toBe(key('https://site.example/'))
    expect(key('https://site.example/?a=1')).not.toBe(key('https://site.example/?a=2'))
  })
})

describe('planScrape', () => {
  it('warns of each requested option without effect, and of no others', () => {
    expect(plan().warnings).toEqual([])
    expect(plan({ fastMode: true, mobile: true, waitFor: 5 }).warnings).toHaveLength(2)
  })

  it.each([
    ['profile', { profile: { name: 'mine' } }],
    ['actions', { actions: [{ type: 'press', key: 'Enter' }] }],
    ['screenshot', { formats: ['screenshot'] }],
    ['waitFor', { waitFor: 10 }],
    ['mobile', { mobile: true }],
  ])('needs a browser for %s', (reason, options) => {
    expect(plan(options).fetch.browserReason).toBe(reason)
  })

  it('needs no browser for text formats', () => {
    expect(plan({ formats: ['markdown', 'links'] }).fetch.browserReason).toBeUndefined()
  })

  it('adds http to a URL without a scheme', () => {
    expect(planScrape(scrapeRequest.parse({ url: 'site.example/page' }), 'team').fetch.url.href).toBe(
      'http://site.example/page',
    )
  })
})

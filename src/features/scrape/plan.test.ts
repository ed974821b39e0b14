import { describe, expect, it } from 'vitest'
import { cacheKeyVersion } from '../../store/pages.ts'
import { planScrape } from './plan.ts'
import { scrapeRequest } from './schema.ts'

const plan = (options: object = {}) =>
  planScrape(scrapeRequest.parse({ url: 'https://site.example/', ...options }), 'team')

describe('a cache key', () => {
  it('is made as it was when its version was increased last', () => {
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

  it('does not look with maxAge 0, but keeps', () => {
    expect(plan({ maxAge: 0 }).cache).toMatchObject({ read: undefined, write: true })
  })

  it('never fetches when minAge is set', () => {
    expect(plan({ minAge: 1 }).cache).toMatchObject({ fetchOnMiss: false, missCode: 'SCRAPE_NO_CACHED_DATA' })
  })

  it('takes minAge and maxAge together as a window', () => {
    expect(plan({ minAge: 10, maxAge: 20 }).cache.read).toEqual({ minAge: 10, maxAge: 20 })
  })

  it('accepts two years under lockdown, never fetches and keeps nothing', () => {
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

  it('neither reads nor keeps what was fetched with headers of the caller', () => {
    expect(plan({ headers: { cookie: 'a=b' } }).cache).toMatchObject({ read: undefined, write: false })
  })

  it('neither reads nor keeps what was fetched with a profile', () => {
    const profile = { name: 'mine', saveChanges: false }
    expect(plan({ profile }).cache).toMatchObject({ read: undefined, write: false })
    expect(plan({ profile, storeInCache: true }).warnings).toEqual([expect.stringContaining('storeInCache')])
  })

  it('keeps nothing under zero retention or with storeInCache off', () => {
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
  ])('has another key for another fetch: %s', (_, options) => {
    expect(plan(options).cache.key).not.toBe(plan().cache.key)
  })

  it('has one key for one page, whatever the fragment', () => {
    const key = (url: string) => planScrape(scrapeRequest.parse({ url }), 'team').cache.key
    expect(key('https://site.example/#part')).toBe(key('https://site.example/'))
    expect(key('https://site.example/#/route')).not.toBe(key('https://site.example/'))
    expect(key('https://site.example/?a=1')).not.toBe(key('https://site.example/?a=2'))
  })
})

describe('the plan', () => {
  it('warns of each option that has no effect, and of none that was not asked for', () => {
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

  it('needs none for text', () => {
    expect(plan({ formats: ['markdown', 'links'] }).fetch.browserReason).toBeUndefined()
  })

  it('gives a URL without a scheme http', () => {
    expect(planScrape(scrapeRequest.parse({ url: 'site.example/page' }), 'team').fetch.url.href).toBe(
      'http://site.example/page',
    )
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

describe('the cache', () => {
  it('serves a page again without asking the site', async () => {
    const url = `${site.url}/count/kept`
    const first = await scrape({ url })
    const second = await scrape({ url })
    expect(second.body.data.markdown).toBe(first.body.data.markdown)
    expect(second.body.data.metadata).toMatchObject({ cacheState: 'hit', cachedAt: expect.any(String) })
    expect(site.hits('/count/kept')).toBe(1)
  })

  it('always asks the site with maxAge 0', async () => {
    const url = `${site.url}/count/fresh`
    await scrape({ url })
    const { body } = await scrape({ url, maxAge: 0 })
    expect(body.data.metadata.cacheState).toBeUndefined()
    expect(site.hits('/count/fresh')).toBe(2)
  })

  it('never asks the site with minAge or lockdown', async () => {
    const url = `${site.url}/count/locked`
    const aged = await scrape({ url, minAge: 1 })
    expect({ status: aged.status, code: aged.body.code }).toEqual({
      status: 404,
      code: 'SCRAPE_NO_CACHED_DATA',
    })
    const locked = await scrape({ url, lockdown: true })
    expect(locked).toMatchObject({ status: 404, body: { code: 'SCRAPE_LOCKDOWN_CACHE_MISS' } })
    expect(site.hits('/count/locked')).toBe(0)
    await scrape({ url })
    const hit = await scrape({ url, lockdown: true })
    expect(hit.body.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 5 })
    expect(site.hits('/count/locked')).toBe(1)
  })

  it('keeps nothing that was fetched with a password in the URL, and does not show it', async () => {
    const url = `${site.url.replace('://', '://user:secret@')}/count/password`
    const { body } = await scrape({ url })
    expect(body.data.metadata.url).toBe(`${site.url}/count/password`)
    const open = await scrape({ url: `${site.url}/count/password`, minAge: 1 })
    expect(open.status).toBe(404)
  })

  it('keeps nothing that was fetched with headers of the caller or with storeInCache off', async () => {
    const url = `${site.url}/count/private`
    await scrape({ url, headers: { cookie: 'a=b' } })
    await scrape({ url, storeInCache: false })
    const { status } = await scrape({ url, minAge: 1 })
    expect(status).toBe(404)
  })
})

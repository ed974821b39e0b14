import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTeam, type Json, scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

describe('the cache', () => {
  it('serves a page again without a request to the site', async () => {
    const url = `${site.url}/count/kept`
    const first = await scrape({ url })
    const second = await scrape({ url })
    expect(second.body.data.markdown).toBe(first.body.data.markdown)
    expect(second.body.data.metadata).toMatchObject({ cacheState: 'hit', cachedAt: expect.any(String) })
    expect(site.hits('/count/kept')).toBe(1)
  })

  it('always fetches with maxAge 0', async () => {
    const url = `${site.url}/count/fresh`
    await scrape({ url })
    const { body } = await scrape({ url, maxAge: 0 })
    expect(body.data.metadata.cacheState).toBeUndefined()
    expect(site.hits('/count/fresh')).toBe(2)
  })

  it('never fetches with minAge or lockdown', async () => {
    const url = `${site.url}/count/locked`
    const withMinAge = await scrape({ url, minAge: 1 })
    expect({ status: withMinAge.status, code: withMinAge.body.code }).toEqual({
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

  it('does not store a page fetched with a password in the URL, and does not show the password', async () => {
    const url = `${site.url.replace('://', '://user:secret@')}/count/password`
    const { body } = await scrape({ url })
    expect(body.data.metadata.url).toBe(`${site.url}/count/password`)
    const withoutPassword = await scrape({ url: `${site.url}/count/password`, minAge: 1 })
    expect(withoutPassword.status).toBe(404)
  })

  it('does not cache pages fetched with headers of the caller or without storeInCache', async () => {
    const url = `${site.url}/count/private`
    await scrape({ url, headers: { cookie: 'a=b' } })
    await scrape({ url, storeInCache: false })
    const { status } = await scrape({ url, minAge: 1 })
    expect(status).toBe(404)
  })

  it('keeps screenshots with their pages, separately for each set of options', async () => {
    const url = `${site.url}/count/picture`
    const screenshot = { type: 'screenshot', fullPage: true, quality: 40, encoding: 'base64' }
    const first = await scrape({ url, formats: ['markdown', screenshot] })
    expect(first.body.data.warning).toContain('formats[1].encoding')
    const second = await scrape({ url, formats: ['markdown', screenshot] })
    expect(second.body.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 1 })
    const bytes = async (fileUrl: string) => Buffer.from(await (await fetch(fileUrl)).arrayBuffer())
    const [before, after] = await Promise.all([first, second].map(({ body }) => bytes(body.data.screenshot)))
    expect(before?.length).toBeGreaterThan(500)
    expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true)
    expect((await scrape({ url })).body.data.metadata.cacheState).toBe('hit')
    expect(site.hits('/count/picture')).toBe(1)
    const locked = await scrape({ url, lockdown: true, formats: [screenshot] })
    expect(locked.body.data.screenshot).toMatch(/^(?:data:image\/jpeg|http)/)
    const another = { url, formats: [{ type: 'screenshot' }] }
    for (const [option, code] of [
      [{ lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
      [{ minAge: 1 }, 'SCRAPE_NO_CACHED_DATA'],
    ]) {
      const { status, body } = await scrape({ ...another, ...(option as object) })
      expect([status, body.code, body.missing]).toEqual([404, code, 'screenshot'])
    }
    expect(site.hits('/count/picture')).toBe(1)
    expect((await scrape(another)).body.data.metadata.cacheState).toBe('miss')
  })

  it('names the missing part, and does not bill a hit for it', async () => {
    const team = await createTeam()
    const url = `${site.url}/count/lacking`
    const send = (body: object) => team.call('POST', '/v2/scrape', { body: { url, ...body } })
    const usedCredits = async () => {
      const { periods } = (await team.call('GET', '/v2/team/credit-usage/historical')).body
      return periods.reduce((sum: number, period: Json) => sum + period.creditsUsed, 0)
    }
    await send({})
    expect(await usedCredits()).toBe(1)
    for (const [request, missing] of [
      [{ formats: ['branding'] }, 'branding'],
      [{ formats: ['markdown', 'audio'] }, 'audio'],
      [{ actions: [{ type: 'scroll' }] }, 'actions'],
    ] as [object, string][]) {
      const withMinAge = await send({ ...request, minAge: 1 })
      expect([withMinAge.status, withMinAge.body.code, withMinAge.body.missing]).toEqual([
        404,
        'SCRAPE_NO_CACHED_DATA',
        missing,
      ])
      const before = await usedCredits()
      const locked = await send({ ...request, lockdown: true })
      expect([locked.body.code, locked.body.missing]).toEqual(['SCRAPE_LOCKDOWN_CACHE_MISS', missing])
      expect(await usedCredits()).toBe(before + 1)
    }
  })
})

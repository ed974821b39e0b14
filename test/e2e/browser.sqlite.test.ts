import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json, scrape, startOwnService } from '../api.ts'
import { runCommand, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const data = async (path: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url: site.url + path, maxAge: 0, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

describe('a page that needs a browser', () => {
  it('is complete without any option', async () => {
    const { markdown, metadata, warning } = await data('/app?ms=800')
    expect(markdown).toContain('The harbour opens when the tide allows it.')
    expect(metadata.title).toBe('Loaded late')
    expect(warning).toBeUndefined()
  })

  it('is read in time although it polls its server continuously', async () => {
    expect((await data('/app/polling')).markdown).toContain('The harbour opens')
  })

  it('includes shadow roots and frames', async () => {
    expect((await data('/app/shadow')).markdown).toContain('Text inside a shadow root.')
    const framed = await data('/app/frame', { waitFor: 1 })
    expect(framed.markdown).toContain('This is the text of page 3.')
  })

  it('is read although it rejects plain HTTP clients', async () => {
    const { markdown, metadata } = await data('/app/browser-only')
    expect(markdown).toContain('Only browsers read this.')
    expect(metadata.statusCode).toBe(200)
  })

  it('names missing content if fastMode forbids a browser', async () => {
    const { warning } = await data('/app?ms=1', { fastMode: true })
    expect(warning).toMatch(/needs? a browser/)
    expect(warning).toContain('fastMode')
  })

  it('fails without affecting other pages if it crashes its tab', async () => {
    const healthy = data('/app?ms=500')
    const { body } = await scrape({ url: `${site.url}/app/crash`, waitFor: 1, timeout: 40_000 })
    expect(body.code).toBe('SCRAPE_PAGE_TOO_LARGE')
    expect((await healthy).markdown).toContain('The harbour opens')
  })
})

describe('the browser identity', () => {
  const readFacts = async (options: object) => {
    const { rawHtml } = await data('/app/device', { formats: ['rawHtml'], waitFor: 1, ...options })
    return (name: string) => new RegExp(`id="${name}">([^<]*)`).exec(rawHtml)?.[1]
  }

  it('is an English desktop browser by default', async () => {
    const fact = await readFacts({})
    expect([fact('language'), fact('zone'), fact('webdriver')]).toEqual([
      'en-US',
      'America/New_York',
      'false',
    ])
    expect(fact('agent')).not.toContain('Headless')
  })

  it('emulates a phone with mobile', async () => {
    const fact = await readFacts({ mobile: true })
    expect([fact('width'), fact('touch')]).toEqual(['390', 'true'])
    expect(fact('agent')).toContain('Mobile')
  })

  it('uses the location', async () => {
    const fact = await readFacts({ location: { country: 'DE' } })
    expect([fact('language'), fact('zone')]).toEqual(['de-DE', 'Europe/Berlin'])
    const chosen = await readFacts({ location: { country: 'jp', languages: ['fr-FR'] } })
    expect([chosen('language'), chosen('zone')]).toEqual(['fr-FR', 'Asia/Tokyo'])
  })

  it('sends the headers of the caller to their origin only', async () => {
    const other = await startSite()
    const html = `<p>page</p><img src="${other.url}/pixel"><script src="/pages/1"></script>`
    const own = await startSite({ routes: { '/mixed': ({ response }) => response.end(html) } })
    const headers = { 'x-secret': 'value', authorization: 'Bearer secret' }
    await scrape({ url: `${own.url}/mixed`, headers, waitFor: 300, blockAds: false })
    const mixedRequest = own.requests.find((request) => request.path === '/mixed')
    expect(mixedRequest?.headers['x-secret']).toBe('value')
    expect(other.hits('/pixel')).toBe(1)
    expect(JSON.stringify(other.requests.map((request) => request.headers))).not.toMatch(/secret/)
    await Promise.all([own.stop(), other.stop()])
  })
})

describe('the screenshot format', () => {
  const takeScreenshot = async (options: object) => {
    const { screenshot } = await data('/app/actions', { formats: [{ type: 'screenshot', ...options }] })
    const response = await fetch(screenshot)
    expect(response.status).toBe(200)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { bytes, type: response.headers.get('content-type'), url: screenshot }
  }
  const pngSize = (bytes: Buffer) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

  it('returns a PNG of the visible part, and its URL needs no key', async () => {
    const { bytes, type } = await takeScreenshot({})
    expect(type).toBe('image/png')
    expect(pngSize(bytes)).toEqual([1280, 800])
  })

  it('supports fullPage, quality and viewport', async () => {
    const [, height] = pngSize((await takeScreenshot({ fullPage: true })).bytes)
    expect(height).toBeGreaterThan(3000)
    expect((await takeScreenshot({ quality: 40 })).type).toBe('image/jpeg')
    expect(pngSize((await takeScreenshot({ viewport: { width: 600, height: 400 } })).bytes)).toEqual([
      600, 400,
    ])
  })

  it('returns 404 for a changed URL', async () => {
    const { url } = await takeScreenshot({})
    const forged = url.replace(
      /signature=(.)/,
      (_: string, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`,
    )
    expect((await fetch(forged)).status).toBe(404)
    expect((await fetch(url.replace(/expires=\d/, 'expires=9'))).status).toBe(404)
    expect((await call('GET', '/v2/files/none', { key: null })).status).toBe(404)
  })
})

describe('a browser that was removed after startup', () => {
  it('is reported by every call that needs it, with a fix', async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'chromium')
    symlinkSync(inject('deployment').environment.CHROMIUM_PATH ?? '', path)
    const own = await startOwnService({ CHROMIUM_PATH: path })
    folder.remove()
    const body = { url: `${site.url}/pages/1`, formats: ['screenshot'] }
    const rejected = await own.call('POST', '/v2/scrape', { body })
    expect(rejected).toMatchObject({ status: 500, body: { code: 'BROWSER_FAILED', phase: 'launch' } })
    expect(rejected.body.error).toMatch(/could not be started.*CHROMIUM_PATH.*doctor/)
    const shell = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/app?ms=1` } })
    expect(shell.body.data.warning).toMatch(/needs? a browser.*CHROMIUM_PATH/)
    const checked = await runCommand(['doctor'], { ...own.environment })
    expect(checked.stdout).toMatch(/✗ browser .*CHROMIUM_PATH/)
    await own.remove()
  })
})

describe('a service without a browser', () => {
  it('starts, scrapes by HTTP, and reports pages that need a browser', async () => {
    const own = await startOwnService({ CHROMIUM_PATH: '' })
    const plain = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1` } })
    expect(plain.status).toBe(200)
    const body = { url: `${site.url}/pages/1`, formats: ['screenshot'] }
    const rejected = await own.call('POST', '/v2/scrape', { body })
    expect(rejected).toMatchObject({ status: 503, body: { code: 'BROWSER_NOT_CONFIGURED' } })
    const withProfile = { url: `${site.url}/pages/1`, profile: { name: 'none' } }
    expect(await own.call('POST', '/v2/scrape', { body: withProfile })).toMatchObject({
      ...{ status: 503, body: { code: 'BROWSER_NOT_CONFIGURED', reason: 'profile' } },
    })
    const shell = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/app?ms=1` } })
    expect(shell.body.data.warning).toContain('none is configured')
    await own.remove()
  })
})

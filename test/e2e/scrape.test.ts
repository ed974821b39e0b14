import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, scrape } from '../api.ts'
import { type Charset, sentences } from '../site/routes/charsets.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../site/site.ts'

let site: Site
let tls: TlsSite
beforeAll(async () => {
  site = await startSite()
  tls = await startTlsSite()
})
afterAll(async () => {
  await site.stop()
  await tls.stop()
})

describe('POST /v2/scrape', () => {
  it('returns Markdown and metadata of a page by default', async () => {
    const { status, body } = await scrape({ url: `${site.url}/pages/7` })
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.data.markdown).toContain('This is the text of page 7.')
    expect(Object.keys(body.data).sort()).toEqual(['markdown', 'metadata'])
    expect(body.data.metadata).toMatchObject({
      title: 'Page 7',
      sourceURL: `${site.url}/pages/7`,
      url: `${site.url}/pages/7`,
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      proxyUsed: 'basic',
      cacheState: 'miss',
      creditsUsed: 1,
      concurrencyLimited: false,
    })
  })

  it('returns every requested format, and no other', async () => {
    const formats = ['markdown', { type: 'html' }, 'rawHtml', 'links', 'images']
    const { body } = await scrape({ url: `${site.url}/article`, formats })
    expect(Object.keys(body.data).sort()).toEqual([
      'html',
      'images',
      'links',
      'markdown',
      'metadata',
      'rawHtml',
    ])
    expect(body.data.rawHtml).toMatch(/^<!doctype html>/i)
    expect(body.data.html).not.toMatch(/<script|<style/i)
    for (const link of [...body.data.links, ...body.data.images]) expect(link).toMatch(/^https?:\/\//)
  })

  it('returns only metadata for an empty list of formats', async () => {
    const { body } = await scrape({ url: `${site.url}/pages/1`, formats: [] })
    expect(Object.keys(body.data)).toEqual(['metadata'])
  })

  it('fills the metadata keys of the document', async () => {
    const { metadata } = (await scrape({ url: `${site.url}/article` })).body.data
    expect(metadata).toMatchObject({
      title: expect.any(String),
      description: expect.any(String),
      language: expect.any(String),
      keywords: expect.stringContaining(', '),
      ogTitle: expect.any(String),
      ogLocaleAlternate: [expect.any(String), expect.any(String)],
      favicon: expect.stringMatching(/^http/),
    })
  })

  it.each(Object.keys(sentences) as Charset[])(
    'reads %s from the header and from the page itself',
    async (charset) => {
      for (const source of charset === 'utf-16le'
        ? ['header', 'none']
        : ['header', 'meta', 'header-unknown']) {
        const { body } = await scrape({
          url: `${site.url}/charset/${charset}/${source}`,
          onlyMainContent: false,
        })
        expect(body.data.metadata.title).toBe(sentences[charset])
        expect(body.data.markdown).toContain(sentences[charset].slice(0, 10))
      }
    },
  )

  it.each(['identity', 'gzip', 'x-gzip', 'deflate', 'deflate-raw', 'br', 'zstd', 'gzip-br'])(
    'decodes a body in %s',
    async (coding) => {
      const { body } = await scrape({ url: `${site.url}/encoded/${coding}`, onlyMainContent: false })
      expect(body.data.markdown.match(/under every content coding/g)).toHaveLength(200)
      expect(body.data.warning).toBeUndefined()
    },
  )

  it.each(['lying', 'unknown'])('uses a body with the coding %s unchanged, and warns', async (name) => {
    const { status, body } = await scrape({ url: `${site.url}/encoded/${name}` })
    expect(status).toBe(200)
    expect(body.data.markdown).toContain('under every content coding')
    expect(body.data.warning).toContain('used unchanged')
  })

  it('returns the received part of a truncated body, and warns', async () => {
    const { body } = await scrape({ url: `${site.url}/encoded/truncated-gzip`, formats: ['rawHtml'] })
    expect(body.data.rawHtml).toMatch(/^<!doctype html>/i)
    expect(body.data.warning).toContain('is incomplete')
  })

  it('rejects a body that is too large after decompression', async () => {
    const { status, body } = await scrape({ url: `${site.url}/encoded/gzip-bomb` })
    expect({ status, code: body.code, phase: body.phase }).toEqual({
      status: 500,
      code: 'SCRAPE_PAGE_TOO_LARGE',
      phase: 'read',
    })
  })

  it('follows redirects and reports the last URL', async () => {
    const { body } = await scrape({ url: `${site.url}/redirect/chain/5` })
    expect(body.data.metadata.url).toBe(`${site.url}/redirect/chain/0`)
    expect(body.data.metadata.sourceURL).toBe(`${site.url}/redirect/chain/5`)
  })

  it.each(['chain/25', 'loop'])('fails for %s redirects', async (path) => {
    const { body } = await scrape({ url: `${site.url}/redirect/${path}` })
    expect(body.code).toBe('SCRAPE_TOO_MANY_REDIRECTS')
  })

  it('keeps cookies across redirects', async () => {
    const { body } = await scrape({ url: `${site.url}/cookies/required`, formats: ['rawHtml'] })
    expect(body.data.metadata.statusCode).toBe(200)
  })

  it('sends the headers of the caller', async () => {
    const headers = { 'X-Mine': 'yes', 'User-Agent': 'mine/1' }
    const { body } = await scrape({ url: `${site.url}/headers`, headers, formats: ['rawHtml'] })
    expect(JSON.parse(body.data.rawHtml)).toMatchObject({
      headers: { 'x-mine': 'yes', 'user-agent': 'mine/1' },
    })
  })

  it('does not send the headers of the caller to another origin', async () => {
    const other = await startSite()
    const target = encodeURIComponent(`${other.url}/headers`)
    const headers = { Authorization: 'Bearer secret', Cookie: 'session=secret', 'X-Api-Key': 'secret' }
    await scrape({ url: `${site.url}/redirect/to?url=${target}`, headers })
    expect(other.hits('/headers')).toBe(1)
    expect(JSON.stringify(other.requests.at(-1)?.headers)).not.toContain('secret')
    await other.stop()
  })

  it.each([404, 500, 403])('succeeds for a page with status %i', async (code) => {
    const { status, body } = await scrape({ url: `${site.url}/status/${code}` })
    expect(status).toBe(200)
    expect(body.data.metadata).toMatchObject({ statusCode: code, error: expect.any(String) })
    expect(body.data.markdown).toContain(`always answers with status ${code}`)
  })

  it('accepts a self-signed certificate by default, and rejects it if verification is requested', async () => {
    const { body } = await scrape({ url: `${tls.url}/pages/1` })
    expect(body.data.metadata.title).toBe('Page 1')
    const verified = await scrape({ url: `${tls.url}/pages/1`, skipTlsVerification: false, maxAge: 0 })
    expect(verified.body).toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
      error: expect.stringContaining('skipTlsVerification'),
    })
  })

  it('ends at its timeout and names the phase', async () => {
    const { status, body } = await scrape({ url: `${site.url}/hang`, timeout: 1000 })
    expect({ status, code: body.code, phase: body.phase }).toEqual({
      status: 408,
      code: 'SCRAPE_TIMEOUT',
      phase: 'fetch',
    })
  })

  it.each(['reset', 'empty-reply', 'garbage', 'content-length/too-long'])(
    'reports that the site closed the connection at /%s',
    async (path) => {
      const { status, body } = await scrape({ url: `${site.url}/${path}` })
      expect({ status, code: body.code }).toEqual({ status: 500, code: 'SCRAPE_SITE_ERROR' })
      expect(body.phase).toMatch(/connect|read/)
    },
  )

  it('fails for an endless page and for a page above the size limit', async () => {
    const endless = await scrape({ url: `${site.url}/endless`, timeout: 4000 })
    expect(endless.body.code).toMatch(/SCRAPE_PAGE_TOO_LARGE|SCRAPE_TIMEOUT/)
    const large = await scrape({ url: `${site.url}/size?bytes=100000000` })
    expect(large.body).toMatchObject({
      code: 'SCRAPE_PAGE_TOO_LARGE',
      phase: 'read',
      bound: 'MAX_HTML_MB',
      most: 32,
    })
  })

  it('names a host that does not resolve', async () => {
    const { body } = await scrape({ url: 'http://no-such-host.invalid/' })
    expect(body).toMatchObject({
      success: false,
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
      host: 'no-such-host.invalid',
    })
  })

  it('rejects an unsupported file, with its type', async () => {
    const { body } = await scrape({ url: `${site.url}/files/unknown.bin` })
    expect(body).toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      contentType: 'application/octet-stream',
    })
  })

  it.each(['plain.txt', 'values.json', 'harbours.xml', 'harbours.csv', 'untyped'])(
    'reads %s as text',
    async (file) => {
      const { status, body } = await scrape({ url: `${site.url}/files/${file}` })
      expect(status).toBe(200)
      expect(body.data.markdown.length).toBeGreaterThan(10)
    },
  )

  it('names options that have no effect here in a warning', async () => {
    const { body } = await scrape({
      url: `${site.url}/pages/2`,
      fastMode: true,
      waitFor: 100,
      mobile: true,
      threatProtection: true,
      __experimental: 1,
    })
    for (const name of ['waitFor', 'mobile', 'threatProtection', '__experimental']) {
      expect(body.data.warning).toContain(name)
    }
  })

  it('accepts the labels that clients add to every call', async () => {
    const { status, body } = await scrape({
      url: `${site.url}/pages/2`,
      origin: 'js-sdk@4.42.0',
      integration: 'cli',
    })
    expect(status).toBe(200)
    expect(body.data.warning).toBeUndefined()
  })

  it('keeps only what includeTags match, and omits what excludeTags match', async () => {
    const { body } = await scrape({
      url: `${site.url}/article`,
      includeTags: ['h1', 'table'],
      formats: ['html'],
    })
    expect(body.data.html).toMatch(/<h1/)
    expect(body.data.html).not.toMatch(/<p[ >]/)
    const without = await scrape({ url: `${site.url}/article`, excludeTags: ['table'], formats: ['html'] })
    expect(without.body.data.html).not.toMatch(/<table/)
  })
})

describe('GET /v2/scrape/{id}', () => {
  it('returns the same document again', async () => {
    const first = await scrape({ url: `${site.url}/pages/3`, formats: ['markdown', 'links'] })
    const again = await call('GET', `/v2/scrape/${first.body.data.metadata.scrapeId}`)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
  })

  it('returns a large document', async () => {
    const first = await scrape({ url: `${site.url}/size?bytes=3000000`, formats: ['rawHtml'] })
    expect(first.body.data.rawHtml.length).toBeGreaterThan(2_000_000)
    const again = await call('GET', `/v2/scrape/${first.body.data.metadata.scrapeId}`)
    expect(again.body.data.rawHtml).toBe(first.body.data.rawHtml)
  })

  it('returns 404 for an unknown id', async () => {
    const { status, body } = await call('GET', '/v2/scrape/01930000-0000-7000-8000-000000000000')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'JOB_NOT_FOUND' })
  })
})

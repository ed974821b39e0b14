import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { start } from '../crawls.ts'
import { post } from '../documents/post.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

/** Returns true if the operation has a required query parameter. */
const needsQuery = ({ parameters }: Json): boolean =>
  parameters.some((parameter: Json) => parameter.in === 'query' && parameter.required)

/** Some clients send this content type with every call. */
const jsonType = { headers: { 'content-type': 'application/json' } }

describe('a call without a body but with content type JSON', () => {
  it('cancels a crawl', async () => {
    const { id } = await start({ url: `${site.url}/hang?habit` })
    const { status, body } = await call('DELETE', `/v2/crawl/${id}`, jsonType)
    expect([status, body]).toEqual([200, { success: true, status: 'cancelled' }])
  })

  it('reaches every route that takes no body', async () => {
    const { paths } = (await call('GET', '/v2/openapi.json')).body
    const routes = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods)
        .filter(([, operation]) => operation.requestBody === undefined && !needsQuery(operation))
        // An event stream continues until its reader disconnects.
        .filter(([, { responses }]) => responses['200']?.content?.['text/event-stream'] === undefined)
        .map(([method]): [string, string] => [method.toUpperCase(), path.replace(/\{\w+\}/g, randomUUID())]),
    )
    expect(routes.filter(([method]) => method === 'DELETE').length).toBeGreaterThan(4)
    for (const [method, path] of routes) {
      const expectedStatuses = path.startsWith('/v2/operator/') ? [403] : [200, 404]
      const { status, body } = await call(method, path, jsonType)
      expect(expectedStatuses, `${method} ${path}: ${status} ${body.error}`).toContain(status)
      if (method === 'GET') continue
      const empty = await call(method, path, { body: '' })
      expect(expectedStatuses, `${method} ${path}: ${empty.status} ${empty.body.error}`).toContain(
        empty.status,
      )
    }
  })

  it('opens a browser with default options, if a sandbox is available', async () => {
    const { status, body } = await call('POST', '/v2/browser', jsonType)
    expect([200, 503]).toContain(status)
    if (status === 200) expect((await call('DELETE', `/v2/browser/${body.id}`, jsonType)).status).toBe(200)
  })
})

describe('an uploaded file', () => {
  it('can be sent with the options that clients always send', async () => {
    const options = { fastMode: false, redactPII: false, onlyCleanContent: false, blockAds: true }
    const { status, body } = await post('<h1>Fog</h1>', { name: 'fog.html', options })
    expect([status, body.error]).toEqual([200, undefined])
    expect(body.data.warning).toBeUndefined()
    expect(body.data.metadata).toMatchObject({ sourceURL: 'fog.html', sourceFile: 'fog.html' })
  })

  it('is returned with a warning for options without effect', async () => {
    const options = { fastMode: true, proxy: 'enhanced' }
    const { body } = await post('<h1>Fog</h1>', { name: 'fog.html', options })
    expect(body.data.markdown).toBe('# Fog')
    for (const name of ['fastMode', 'proxy']) expect(body.data.warning).toContain(name)
  })

  it('must be sent as form data; JSON returns 415', async () => {
    const { status, body } = await call('POST', '/v2/parse', { body: { url: 'https://a.example' } })
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(body.error).toContain('multipart/form-data')
    expect(body.error).not.toContain('application/json')
  })
})

describe('an unavailable feature', () => {
  // Clients send this format with options.
  const absentFormats = [{ type: 'video', quality: 'high' }]

  it('names the unavailable format and returns the others', async () => {
    const url = `${site.url}/pages/6`
    const { status, body } = await scrape({ url, formats: ['markdown', 'links', ...absentFormats] })
    expect([status, body.error]).toEqual([200, undefined])
    expect(Object.keys(body.data).sort()).toEqual(['links', 'markdown', 'metadata', 'warning'])
    expect(body.data.warning).toContain('The format video is not available here')
    const again = await scrape({ url, formats: ['markdown', 'video'] })
    expect(again.body.data).toMatchObject({
      warning: expect.stringContaining('video'),
      metadata: { cacheState: 'hit' },
    })
  })

  it('is rejected if nothing else is requested', async () => {
    const calls = [
      scrape({ url: `${site.url}/pages/6`, formats: absentFormats }),
      call('POST', '/v2/batch/scrape', { body: { urls: [`${site.url}/pages/6`], formats: ['video'] } }),
      call('POST', '/v2/crawl', { body: { url: site.url, scrapeOptions: { formats: ['video'] } } }),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.code, body.option]).toEqual([400, 'OPTION_NOT_AVAILABLE', 'formats'])
      expect(body.error).toContain('markdown')
    }
  })

  it('rejects an unknown source that replaces the URL, by its name', async () => {
    const { status, body } = await scrape({ alexandria: [{ provider: 'a', capability: 'b' }] })
    expect([status, body.code, body.option]).toEqual([400, 'OPTION_NOT_AVAILABLE', 'alexandria'])
    expect(body.error).toContain(body.hint)
  })

  it.each([
    ['GET', '/v2/search/research/authors?query=x'],
    ['POST', '/v2/search/gov'],
    ['GET', '/v2/parse/formats'],
    ['POST', '/v2/deep-research'],
    ['POST', '/v2/llmstxt'],
    ['PATCH', `/v2/monitor/${randomUUID()}`],
    ['GET', '/v2/monitor'],
    ['GET', '/exchange/discover'],
    ['POST', '/v2/parse/upload-url'],
    ['PUT', '/v2/team/threat-protection'],
    ['GET', `/v2/browser/${randomUUID()}/replay/1`],
  ])('%s %s requires a key first, then returns 501 with a hint', async (method, path) => {
    const body = method === 'POST' ? { body: { query: 'x' } } : {}
    const withoutKey = await call(method, path, { ...body, key: null })
    expect([withoutKey.status, withoutKey.body.code]).toEqual([401, 'UNAUTHORIZED'])
    const answer = await call(method, path, body)
    expect([answer.status, answer.body.code]).toEqual([501, 'FEATURE_NOT_AVAILABLE'])
    expect(answer.body.hint.length).toBeGreaterThan(10)
    expect(answer.body.error).toContain(answer.body.hint)
  })
})

describe('an invalid option', () => {
  const page = 'https://a.example/'
  it.each([
    [
      { formats: ['markdown', { type: 'changeTracking', modes: ['git'] }] },
      'formats[1].modes[0]',
      'git-diff',
    ],
    [{ formats: [{ type: 'screenshot', quality: 200 }] }, 'formats[0].quality', '100'],
    [{ formats: [{ type: 'attributes' }] }, 'formats[0].selectors', 'array'],
    [{ formats: [{ type: 'markdown', colour: 1 }] }, 'formats[0]', 'colour'],
    [{ formats: [{ type: 'nonsense' }] }, 'formats[0]', 'markdown'],
    [{ parsers: ['docx'] }, 'parsers[0]', '"pdf"'],
    [{ parsers: [{ type: 'pdf', mode: 'best' }] }, 'parsers[0].mode', 'ocr'],
    [{ parsers: [5] }, 'parsers[0]', '"image"'],
    [{ actions: [{ type: 'hover' }] }, 'actions[0]', 'executeJavascript'],
    [{ actions: [{ type: 'click' }] }, 'actions[0].selector', 'string'],
  ])('is named by its path, with valid values: %j', async (options, path, valid) => {
    const { status, body } = await scrape({ url: page, ...options })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.error.startsWith(`Bad Request: ${path}`), body.error).toBe(true)
    expect(body.error).toContain(valid)
    expect(body.details.length).toBeGreaterThan(0)
  })

  it.each([
    ['an address', scrape, { url: 'nodots' }],
    ['rules over several options', scrape, { url: page, formats: ['changeTracking'] }],
    ['text that is no JSON', (body: object) => call('POST', '/v2/scrape', { body: `${body}` }), {}],
    ['an id', () => call('GET', '/v2/crawl/1'), {}],
  ])('returns an error that starts with "Bad Request: ": %s', async (_, send, request) => {
    const { status, body } = await send(request as { url: string })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^Bad Request: ./)
  })
})

describe('the timeout of a map', () => {
  it.each([5_000_000, 2500.5])('can be %d', async (timeout) => {
    const { status, body } = await call('POST', '/v2/map', { body: { url: `${site.url}/tree`, timeout } })
    expect([status, body.error]).toEqual([200, undefined])
  })

  it('returns 408 if it is too short', async () => {
    const { status, body } = await call('POST', '/v2/map', {
      body: { url: `${site.url}/hang?map`, timeout: 1 },
    })
    expect(status, body.error).toBe(408)
  })
})

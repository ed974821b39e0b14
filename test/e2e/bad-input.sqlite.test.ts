import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, createTeam, scrape } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/v2/scrape', { body, headers })

describe('a bad request', () => {
  it.each([
    ['malformed JSON', '{"url":', 'BAD_REQUEST_INVALID_JSON'],
    ['an empty body', '', 'BAD_REQUEST_INVALID_JSON'],
    [
      'a key that reaches the prototype',
      '{"url":"https://a.example","__proto__":{"x":1}}',
      'BAD_REQUEST_INVALID_JSON',
    ],
    [
      'the same key spelled with escapes',
      '{"url":"https://a.example","\\u005f_pr\\u006fto__":{"x":1}}',
      'BAD_REQUEST_INVALID_JSON',
    ],
    ['a list instead of an object', '[]', 'BAD_REQUEST'],
    ['null', 'null', 'BAD_REQUEST'],
    ['a very deep value', `{"url":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'BAD_REQUEST'],
  ])('with %s returns 400', async (_, body, code) => {
    const answer = await post(body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code })
    expect(answer.body.error.length).toBeGreaterThan(15)
  })

  it('with bytes that are not UTF-8 returns 400', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"url":"https://a.example/'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])
    const { status, body } = await post(bytes)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST_INVALID_JSON' })
    expect(body.error).toContain('UTF-8')
  })

  it('with another content type returns 415 and names the expected type', async () => {
    const { status, body } = await post('url=https://a.example', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    expect(body.error).toContain('application/json')
  })

  it('with a body that is too large returns 413', async () => {
    const { status, body } = await post(JSON.stringify({ url: 'x'.repeat(11 * 1024 * 1024) }))
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'REQUEST_TOO_LARGE' })
  })

  it.each([
    [{}, 'url'],
    [{ url: 5 }, 'url'],
    [{ url: 'https://a.example', timeout: 10 }, 'timeout'],
    [{ url: 'https://a.example', timeout: 300_001 }, 'timeout'],
    [{ url: 'https://a.example', onlyMainContent: 'yes' }, 'onlyMainContent'],
    [{ url: 'https://a.example', maxAge: -1 }, 'maxAge'],
    [{ url: 'https://a.example', formats: [{ type: 'markdown', extra: 1 }] }, 'formats'],
    [{ url: 'https://a.example', location: { country: 'Germany' } }, 'location'],
  ])('%j returns 400 with the path of the invalid field', async (request, path) => {
    const { status, body } = await scrape(request)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(body.details[0].path[0]).toBe(path)
    expect(body.error).toContain(path)
  })

  it.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    ' file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'chrome://crash',
    'nodots',
    'http://',
    'http://a b.example/',
    '',
  ])('with the URL %j returns 400', async (url) => {
    const { status, body } = await scrape({ url })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(body.error).toContain('URL')
  })

  it('with an unknown key returns 400 and names the key', async () => {
    const { status, body } = await scrape({ url: 'https://a.example', onlyMainContet: true })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^Unrecognized key in body: "onlyMainContet"/)
  })

  it('for an unavailable format returns 400 and names the available formats', async () => {
    const { status, body } = await scrape({ url: 'https://a.example', formats: ['video'] })
    expect(status).toBe(400)
    expect(body.error).toContain('markdown')
  })

  it.each([
    ['actions', { fastMode: true, actions: [{ type: 'scroll' }] }, 'SCRAPE_ACTIONS_NOT_SUPPORTED'],
    ['redactPII', { redactPII: { entities: ['SHOE_SIZE'] } }, 'BAD_REQUEST'],
  ])('with unusable %s returns 400', async (_, options, code) => {
    const { status, body } = await scrape({ url: 'https://a.example', ...options })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
  })

  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Proxy-Authorization', 'bad name'])(
    'with the header %s returns 400',
    async (name) => {
      const { status, body } = await scrape({ url: 'https://a.example', headers: { [name]: 'x' } })
      expect(status).toBe(400)
      expect(body.error).toContain(name)
    },
  )

  it('with a line break in a header value returns 400', async () => {
    const { status } = await scrape({ url: 'https://a.example', headers: { 'x-a': 'b\r\nx-c: d' } })
    expect(status).toBe(400)
  })

  it('with a broken selector returns 400 and names the selector', async () => {
    const { status, body } = await scrape({ url: 'https://a.example', includeTags: ['div['] })
    expect(status).toBe(400)
    expect(body.error).toContain('div[')
  })

  it.each(['a[', '', ':nonsense('])(
    'with the attribute selector %j returns 400 and its path',
    async (selector) => {
      const selectors = [
        { selector: 'a', attribute: 'href' },
        { selector, attribute: 'href' },
      ]
      const scrapeOptions = { formats: ['markdown', { type: 'attributes', selectors }] }
      const { status, body } = await call('POST', '/v2/crawl', {
        body: { url: 'https://a.example', scrapeOptions },
      })
      expect(status).toBe(400)
      expect(body.error).toContain('scrapeOptions.formats[1].selectors[1].selector: ')
      expect(body.error).toContain('is not a CSS selector')
    },
  )

  it.each(['/v2/scrape/not-a-uuid', '/v2/batch/scrape/123', '/v2/batch/scrape/123/errors'])(
    'GET %s returns 400 because the id is not a UUID',
    async (path) => {
      const { status, body } = await call('GET', path)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_JOB_ID' })
    },
  )

  it('to an unknown route returns 404 with a link to the reference', async () => {
    const { status, body } = await call('POST', '/v2/nothing', { body: {} })
    expect(status).toBe(404)
    expect(body).toMatchObject({
      success: false,
      code: 'ROUTE_NOT_FOUND',
      error: expect.stringContaining('/docs'),
    })
  })

  it('does not affect later requests', async () => {
    const { status } = await scrape({ url: `${site.url}/pages/1` })
    expect(status).toBe(200)
  })
})

describe('a missing or wrong key', () => {
  it.each([
    ['no header', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an unknown key', { authorization: 'Bearer fc-unknown' }],
    ['what a client without a key sends', { authorization: 'Bearer undefined' }],
  ])('%s returns 401 before the body is read', async (_, headers) => {
    const { status, body } = await call('POST', '/v2/scrape', { key: null, body: '{"url":', headers })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })
})

describe('another team', () => {
  let otherKey: string
  beforeAll(async () => {
    otherKey = (await createTeam()).key
  })

  it('cannot read the jobs of the first team', async () => {
    const { body } = await call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/9` } })
    const id = body.data.metadata.scrapeId
    const answer = await call('GET', `/v2/scrape/${id}`, { key: otherKey })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
  })

  it('gets 404 for the crawls and batches of the first team', async () => {
    const body = { url: `${site.url}/pages/9`, urls: [`${site.url}/pages/9`] }
    const crawl = await call('POST', '/v2/crawl', { body: { url: body.url, limit: 1 } })
    const batch = await call('POST', '/v2/batch/scrape', { body: { urls: body.urls } })
    for (const path of [`/v2/crawl/${crawl.body.id}`, `/v2/batch/scrape/${batch.body.id}`]) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await call(method, path, { key: otherKey })
        expect([answer.status, answer.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
      }
    }
  })

  it('sees neither the activity nor the cache of the first team', async () => {
    await call('POST', '/v2/scrape', { body: { url: `${site.url}/count/mine` } })
    const activity = await call('GET', '/v2/team/activity', { key: otherKey })
    expect(activity.body.data).toEqual([])
    const body = { url: `${site.url}/count/mine`, minAge: 1 }
    const cached = await call('POST', '/v2/scrape', { key: otherKey, body })
    expect(cached.status).toBe(404)
  })

  it('gets 401 within a second after its key was revoked', async () => {
    const { environment } = inject('deployment')
    const created = await runCommand(['key', 'create', '--team', 'short-lived'], environment)
    const key = created.stdout.split('\n')[0] ?? ''
    const getUsage = (token: string) => call('GET', '/v2/team/credit-usage', { key: token })
    const usage = async () => (await getUsage(key)).status
    expect(await usage()).toBe(200)
    const { stdout } = await runCommand(['key', 'list'], environment)
    const id = stdout
      .split('\n')
      .find((line) => line.includes('short-lived'))
      ?.split(' ')[0]
    await runCommand(['key', 'revoke', '--id', id ?? ''], environment)
    await expect.poll(usage).toBe(401)
    const { body } = await getUsage(key)
    expect(body).toEqual({
      ...{ success: false, code: 'UNAUTHORIZED', error: 'Unauthorized: Invalid token' },
      hint: expect.stringMatching(/api-key.*npm run key -- create.*winnow keys create.*console/),
    })
    // A revoked key and an unknown key get the same response, so that a caller cannot find out which keys existed.
    expect((await getUsage(key.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))).body).toEqual(body)
  })
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, callAt, type OwnService, startOwnService } from '../api.ts'
import { sendRaw } from '../attack/raw-socket.ts'
import { main, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { runInTerminal } from '../terminal.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

describe('monitoring', () => {
  it('returns liveness without a key', async () => {
    expect((await call('GET', '/health/live', { key: null })).body).toEqual({ status: 'live' })
  })

  it('counts calls by route for Prometheus', async () => {
    await call('GET', '/v2/team/queue-status')
    await call('GET', '/v2/team/queue-status')
    const { body, headers } = await call('GET', '/metrics', { key: null })
    expect(headers.get('content-type')).toContain('text/plain')
    expect(body).toMatch(
      /winnow_calls_total\{method="GET",route="\/v2\/team\/queue-status",status="200"\} \d+/,
    )
    expect(body).toMatch(/process_resident_memory_bytes \d+/)
  })

  it('returns no metrics to remote callers without a key', async () => {
    const answer = await call('GET', '/metrics', { key: null, headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(answer.status).toBe(401)
  })

  it('returns metrics to operators, and to local callers only by a local host name', async () => {
    const remoteHeaders = { 'x-forwarded-for': '203.0.113.9' }
    const team = await call('GET', '/metrics', { headers: remoteHeaders })
    expect([team.status, team.body.code]).toEqual([403, 'OPERATOR_KEY_REQUIRED'])
    const { key, urls } = inject('deployment')
    expect((await call('GET', '/metrics', { key, headers: remoteHeaders })).status).toBe(200)
    const { port } = new URL(urls[0] ?? '')
    const getByHost = (host: string, path: string, authorization?: string) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { host, ...(authorization === undefined ? {} : { authorization }) }
        get({ host: '127.0.0.1', port, path, headers }, async (response) => {
          let text = ''
          for await (const part of response.setEncoding('utf8')) text += part
          resolve({ status: response.statusCode ?? 0, text })
        }).on('error', reject)
      })
    // Another name that resolves to this machine, as a page in a local browser could use it.
    const rebound = await getByHost(`rebound.example:${port}`, '/metrics')
    expect([rebound.status, JSON.parse(rebound.text).code]).toEqual([401, 'UNAUTHORIZED'])
    expect(rebound.text).toContain('127.0.0.1')
    expect((await getByHost('rebound.example', '/metrics', `Bearer ${key}`)).status).toBe(200)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]']) {
      expect((await getByHost(host, '/metrics')).status).toBe(200)
    }
  })

  it('lists available features, and the reason for each missing feature', async () => {
    const { features } = (await call('GET', '/v2/capabilities')).body
    expect(features).toContainEqual(expect.objectContaining({ name: 'scrape', available: true }))
    for (const feature of features) expect(feature.note.length).toBeGreaterThan(5)
  })

  it('returns the request id of the caller, or a generated id', async () => {
    const valid = await call('GET', '/v2/team/queue-status', { headers: { 'x-request-id': 'mine-1' } })
    expect(valid.headers.get('x-request-id')).toBe('mine-1')
    const hostile = await call('GET', '/v2/team/queue-status', { headers: { 'x-request-id': 'a b<script>' } })
    expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-\d+$/)
  })

  it('allows every origin with a key', async () => {
    const { status, headers } = await call('OPTIONS', '/v2/scrape', { key: null })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('authorization')
  })

  it.each([
    ['a result', 'GET', '/v2/team/queue-status', 200],
    ['a refused key', 'GET', '/v2/team/queue-status', 401, { key: 'fc-unknown' }],
    ['a route that is not there', 'GET', '/v2/absent', 404],
    ['a method that is not there', 'PUT', '/v2/scrape', 405],
    ['a feature that is not there', 'POST', '/v2/deep-research', 501],
    ['events of no job', 'GET', `/v2/crawl/${randomUUID()}/events`, 404],
    ['a tool call without a key', 'POST', '/mcp', 401, { key: null }],
  ] as const)('lets a page of another site read the headers of %s', async (...args) => {
    const [, method, path, status, options = {}] = args
    const { status: actualStatus, headers } = await call(method, path, options)
    expect([actualStatus, headers.get('access-control-allow-origin')]).toEqual([status, '*'])
    const readable = headers.get('access-control-expose-headers')?.split(', ')
    const expected = ['x-request-id', 'retry-after', 'allow', 'content-disposition', 'www-authenticate']
    expect(readable).toEqual(expect.arrayContaining([...expected, 'mcp-session-id']))
  })
})

describe('the API description', () => {
  it('equals the committed file', async () => {
    const { body } = await call('GET', '/v2/openapi.json', { key: null })
    expect(body).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')))
  })

  it('is valid OpenAPI 3.1', async () => {
    const { body } = await call('GET', '/v2/openapi.json', { key: null })
    expect(body.openapi).toBe('3.1.0')
    const result = await new Validator().validate(body)
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })
})

describe('shutdown', () => {
  it('finishes running calls, and closes idle connections', async () => {
    const own = await startOwnService()
    const { hostname, port } = new URL(own.url)
    const idle = connect(Number(port), hostname)
    await once(idle, 'connect')
    // This call follows the idle connection, so the service knows both when the call is running.
    const running = own.call('POST', '/v2/scrape', { body: { url: `${site.url}/slow?ms=3000` } })
    await expect.poll(async () => (await own.call('GET', '/v2/concurrency-check')).body.concurrency).toBe(1)
    const events: string[] = []
    const closed = once(idle, 'close').then(() => events.push('silent'))
    const completed = running.then(({ status }) => events.push(`answered ${status}`))
    expect(await own.stop()).toBe(0)
    await Promise.all([closed, completed])
    expect(events).toEqual(['silent', 'answered 200'])
    await own.remove()
  })

  it('releases background jobs immediately, and another process continues them', async () => {
    const own = await startOwnService({ TEAM_CONCURRENCY: '2' })
    const urls = Array.from({ length: 30 }, (_, index) => `${site.url}/slow?ms=100&n=${index}`)
    const { id } = (await own.call('POST', '/v2/batch/scrape', { body: { urls } })).body
    expect(await own.stop()).toBe(0)
    const next = await own.again()
    await expect
      .poll(async () => (await next.call('GET', `/v2/batch/scrape/${id}`)).body.status, { timeout: 30_000 })
      .toBe('completed')
    expect((await next.call('GET', `/v2/batch/scrape/${id}`)).body).toMatchObject({
      completed: 30,
      creditsUsed: 30,
    })
    await next.stop()
    await own.remove()
  })
})

describe('startup', () => {
  it('lists all invalid settings together', async () => {
    const failed = startService({
      PORT: 'many',
      ROLE: 'chief',
      ALLOW_PRIVATE_NETWORK: '10.0.0.0/99',
      AUTH: 'off',
      HOST: '0.0.0.0',
    })
    await expect(failed).rejects.toThrow(/PORT[\s\S]*ROLE[\s\S]*ALLOW_PRIVATE_NETWORK/)
  })

  it('rejects separate roles without shared storage', async () => {
    await expect(startService({ ROLE: 'worker' })).rejects.toThrow(/DATABASE_URL and BLOBS_URL/)
  })

  it('creates a key on first start, reuses it, and prints only its path if the output is not a terminal', async () => {
    const own = await startOwnService({ API_KEY: '' })
    const path = `${own.environment.DATA_DIR}/api-key`
    const key = readFileSync(path, 'utf8').trim()
    expect(key).toMatch(/^fc-[0-9a-f]{32}$/)
    expect(own.output()).toContain(path)
    expect(own.output()).not.toContain(key)
    expect((await callAt(own.url, 'GET', '/v2/team/credit-usage', { key })).status).toBe(200)
    await own.stop()
    const next = await own.again()
    expect(next.output()).not.toContain(key)
    expect((await callAt(next.url, 'GET', '/v2/team/credit-usage', { key })).status).toBe(200)
    await next.stop()
    await own.remove()
  })
})

it('the first start shows its key once in a terminal', async () => {
  const folder = temporaryFolder()
  const { environment } = inject('deployment')
  const changes = {
    PATH: process.env.PATH,
    DATA_DIR: folder.path,
    PORT: '0',
    API_KEY: '',
    LOG_LEVEL: 'error',
  }
  const terminal = runInTerminal([process.execPath, main], { ...environment, ...changes })
  await terminal.waitFor('listens on')
  await terminal.waitFor('curl http')
  const key = readFileSync(`${folder.path}/api-key`, 'utf8').trim()
  expect(terminal.shown()).toContain(`\n      ${key}`)
  expect(terminal.shown()).toContain(`Bearer ${key}`)
  terminal.press('\u0003')
  await terminal.ended
  folder.remove()
})

describe('AUTH=off', () => {
  let own: OwnService
  beforeAll(async () => {
    own = await startOwnService({ AUTH: 'off' })
  })
  afterAll(() => own.remove())

  it('requires no key from local callers', async () => {
    const { status } = await callAt(own.url, 'POST', '/v2/scrape', { body: { url: `${site.url}/pages/1` } })
    expect(status).toBe(200)
  })

  it('rejects a web page of another origin', async () => {
    const headers = { origin: 'https://evil.example' }
    const { status, body } = await callAt(own.url, 'GET', '/v2/team/activity', { headers })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'ORIGIN_FORBIDDEN' })
    const tools = await callAt(own.url, 'POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers,
    })
    expect([tools.status, tools.body.code]).toEqual([403, 'ORIGIN_FORBIDDEN'])
  })

  it.each(['GET /v2/team/activity', 'POST /mcp'])(
    'rejects a web page whose host name resolves to this machine: %s',
    async (route) => {
      const head = [`${route} HTTP/1.1`, 'host: evil.example', 'connection: close', 'content-length: 0']
      const rawRequest = { parts: [`${head.join('\r\n')}\r\n\r\n`], leave: 'wait' as const }
      const answer = await sendRaw(own.url, rawRequest, 30_000)
      expect(answer).toMatch(/^HTTP\/1\.1 403 .*"ORIGIN_FORBIDDEN"/s)
    },
  )

  it('sends no header that allows a web page to read responses', async () => {
    const { headers } = await callAt(own.url, 'GET', '/v2/team/activity', {})
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toBeNull()
  })
})

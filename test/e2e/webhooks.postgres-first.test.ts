import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const secret = 'a secret of some length'
const commonSecret = 'a secret of the operator'
let site: Site
let service: OwnService
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/hook': ({ response }) => response.end('thanks'),
      '/hook/busy': ({ response, visit }) => response.writeHead(visit <= 2 ? 500 : 204).end(),
      '/hook/gone': ({ response }) => response.writeHead(410).end(),
      '/hook/moved': ({ response }) => response.writeHead(307, { location: '/hook/elsewhere' }).end(),
      '/hook/elsewhere': ({ response }) => response.end(),
      '/hook/filtered': ({ response }) => response.end(),
      '/hook/shown': ({ response }) => response.end(),
      '/hook/tested': ({ response }) => response.end(),
    },
  })
  service = await startOwnService({ WEBHOOK_RETRIES: '0,1', WEBHOOK_SECRET: commonSecret })
  const args = ['key', 'set', '--team', 'default', '--webhook-secret', secret]
  const { code, stderr } = await runCommand(args, environmentOf(service))
  expect(stderr).toBe('')
  expect(code).toBe(0)
})
afterAll(async () => {
  await service.remove()
  await site.stop()
})

function environmentOf({ environment: { API_KEY: _, ...environment } }: OwnService) {
  return environment
}

const pages = (count: number) => Array.from({ length: count }, (_, index) => `${site.url}/pages/${index + 1}`)

async function post(path: string, body: object): Promise<Json> {
  const answer = await service.call('POST', path, { body })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

/** Returns the events of a job that a path of the site has received. */
const received = (path: string, id: string): Json[] =>
  site.requests
    .filter((request) => request.path === path)
    .map((request) => ({ headers: request.headers, raw: request.body, ...JSON.parse(request.body || '{}') }))
    .filter((event) => event.id === id)

const deliveriesOf = async (id: string, state = '') =>
  (await service.call('GET', `/v2/webhooks/deliveries?jobId=${id}${state && `&state=${state}`}`)).body.data

const waitForDeliveries = (id: string) =>
  until('the end of all deliveries', 30_000, async () =>
    (await deliveriesOf(id, 'waiting')).length === 0 ? true : undefined,
  )

// Each test uses a separate job. One test waits for a receiver that never responds.
describe.concurrent('a webhook', () => {
  it('sends events for the start, every page and the end, signed over the sent bytes', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook`, headers: { 'x-mine': 'yes' }, metadata: { order: 7 } }
    const startedAt = Date.now()
    const { id } = await post('/v2/batch/scrape', { urls: [...pages(3), `${site.url}/reset`], webhook })
    await expect
      .poll(() => received('/hook', id).at(-1)?.type, { timeout: 20_000 })
      .toBe('batch_scrape.completed')
    const events = received('/hook', id)
    expect(events.map((event) => event.type)).toEqual([
      'batch_scrape.started',
      ...Array(4).fill('batch_scrape.page'),
      'batch_scrape.completed',
    ])
    expect(events[0]).toMatchObject({ success: true, data: [], metadata: { order: 7 } })
    const pageEvents = events.slice(1, 5)
    const successful = pageEvents.filter((event) => event.success)
    expect(successful.map((event) => event.data[0].metadata.title).sort()).toEqual([
      'Page 1',
      'Page 2',
      'Page 3',
    ])
    expect(successful[0].data[0].markdown).toContain('This is the text of page')
    const [failed] = pageEvents.filter((event) => !event.success)
    expect(failed).toMatchObject({ data: [{ metadata: { sourceURL: `${site.url}/reset` } }] })
    expect(failed.error).toMatch(/closed the connection/)
    expect(new Set(events.map((event) => event.webhookId)).size).toBe(6)
    for (const { headers, raw } of events) {
      const expected = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
      expect(headers).toMatchObject({
        ...{ 'content-type': 'application/json', 'x-mine': 'yes' },
        ...{ 'x-service-signature': expected, 'x-firecrawl-signature': expected },
      })
      const forged = createHmac('sha256', 'another secret').update(raw).digest('hex')
      expect(headers['x-service-signature']).not.toContain(forged)
      const [, seconds = ''] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(String(headers['x-winnow-signature'])) ?? []
      const timedSignature = createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest('hex')
      expect(headers['x-winnow-signature']).toBe(`t=${seconds},v1=${timedSignature}`)
      expect(Number(seconds)).toBeGreaterThanOrEqual(Math.floor(startedAt / 1000))
      expect(Number(seconds)).toBeLessThanOrEqual(Date.now() / 1000)
    }
  })

  it('has a log with the URL and the payload of each event, without its headers', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook/shown`, headers: { 'x-mine': 'hidden' }, metadata: { order: 8 } }
    const { id } = await post('/v2/batch/scrape', { urls: [...pages(1), `${site.url}/reset`], webhook })
    await expect
      .poll(() => received('/hook/shown', id).at(-1)?.type, { timeout: 20_000 })
      .toBe('batch_scrape.completed')
    await waitForDeliveries(id)
    const events = received('/hook/shown', id)
    expect(events).toHaveLength(4)
    for (const { raw, webhookId } of events) {
      const { body, status } = await service.call('GET', `/v2/webhooks/deliveries/${webhookId}`)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ webhookId, state: 'delivered', url: webhook.url })
      expect(body.data.payload).toEqual(JSON.parse(raw))
      expect(JSON.stringify(body)).not.toContain('hidden')
    }
    const unknown = await service.call('GET', `/v2/webhooks/deliveries/${id}`)
    expect(unknown).toMatchObject({ status: 404, body: { code: 'DELIVERY_NOT_FOUND' } })
  })

  it('reports a crawl, its failure and its cancellation', async ({ expect }) => {
    const webhook = `${site.url}/hook`
    // The start is read only for its links, and is not a page of the crawl.
    const crawlRequest = { url: `${site.url}/tree`, includePaths: ['^/tree/'], limit: 2, webhook }
    const { id } = await post('/v2/crawl', crawlRequest)
    await expect.poll(() => received('/hook', id).length, { timeout: 20_000 }).toBe(4)
    expect(received('/hook', id).map((event) => event.type)).toEqual([
      ...['crawl.started', 'crawl.page', 'crawl.page', 'crawl.completed'],
    ])
    const failing = await post('/v2/crawl', { url: `${site.url}/reset`, webhook })
    await expect
      .poll(() => received('/hook', failing.id).at(-1)?.type, { timeout: 20_000 })
      .toBe('crawl.failed')
    expect(received('/hook', failing.id).at(-1)).toMatchObject({
      success: false,
      error: expect.any(String),
      data: [],
    })
    const hanging = await post('/v2/crawl', { url: `${site.url}/hang?hook`, webhook })
    await service.call('DELETE', `/v2/crawl/${hanging.id}`)
    await expect
      .poll(() => received('/hook', hanging.id).at(-1)?.type, { timeout: 20_000 })
      .toBe('crawl.cancelled')
    expect(received('/hook', hanging.id).at(-1)).toMatchObject({
      success: false,
      error: expect.stringContaining('cancelled by a call'),
    })
    const { body } = await service.call('GET', `/v2/crawl/${hanging.id}`)
    expect(body).toMatchObject({ status: 'cancelled', error: expect.stringContaining('cancelled by a call') })
  })

  it('sends only requested events, by its short or full name', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook/filtered`, events: ['page', 'batch_scrape.completed'] }
    const { id } = await post('/v2/batch/scrape', { urls: pages(1), webhook })
    await expect.poll(() => received('/hook/filtered', id).length, { timeout: 20_000 }).toBe(2)
    expect((await deliveriesOf(id)).map((each: Json) => each.type).sort()).toEqual([
      'batch_scrape.completed',
      'batch_scrape.page',
    ])
  })

  it('is retried with the same id if the receiver fails twice', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook/busy`, events: ['started'] }
    const { id } = await post('/v2/batch/scrape', { urls: pages(1), webhook })
    await waitForDeliveries(id)
    const events = received('/hook/busy', id)
    expect(events).toHaveLength(3)
    expect(new Set(events.map((event) => event.webhookId)).size).toBe(1)
    const [log] = await deliveriesOf(id)
    expect(log).toMatchObject({ state: 'delivered', webhookId: events[0].webhookId })
    expect(log.attempts.map((attempt: Json) => attempt.status)).toEqual([500, 500, 204])
  })

  it('fails after its last attempt, and can be sent again', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook/gone`, events: ['started'] }
    const { id } = await post('/v2/batch/scrape', { urls: pages(1), webhook })
    await waitForDeliveries(id)
    const [log] = await deliveriesOf(id)
    expect(log).toMatchObject({
      state: 'failed',
      attempts: [{ status: 410 }, { status: 410 }, { status: 410 }],
    })
    const again = await service.call('POST', `/v2/webhooks/deliveries/${log.webhookId}/replay`)
    expect(again).toMatchObject({ status: 200, body: { data: { state: 'waiting' } } })
    await expect.poll(() => received('/hook/gone', id).length, { timeout: 20_000 }).toBe(4)
    expect(new Set(received('/hook/gone', id).map((event) => event.webhookId)).size).toBe(1)
  })

  it('does not follow a redirect', async ({ expect }) => {
    const webhook = { url: `${site.url}/hook/moved`, events: ['started'] }
    const { id } = await post('/v2/batch/scrape', { urls: pages(1), webhook })
    await waitForDeliveries(id)
    expect(site.hits('/hook/elsewhere')).toBe(0)
    const [log] = await deliveriesOf(id)
    expect(log.attempts[0]).toMatchObject({ status: 307, error: expect.stringContaining('not followed') })
  })

  it.each(['http://127.0.0.3/hook', 'http://[::1]:8080/', 'http://10.1.2.3/', 'http://169.254.169.254/'])(
    'is rejected with the request if it points to %s',
    async (url) => {
      const target = `${site.url}/pages/refused?receiver=${encodeURIComponent(url)}`
      const calls = [
        service.call('POST', '/v2/batch/scrape', { body: { urls: [target], webhook: url } }),
        service.call('POST', '/v2/crawl', { body: { url: target, webhook: { url } } }),
        service.call('POST', '/v2/webhooks/test', { body: { webhook: url } }),
      ]
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body.code, body.option]).toEqual([403, 'TARGET_FORBIDDEN', 'webhook'])
      }
      expect(site.hits('/pages/refused')).toBe(0)
    },
  )

  it('does not delay its job if the receiver does not respond', async ({ expect }) => {
    // The receiver has a separate host, because a silent host has a shorter timeout from then on.
    const silent = await startSite({
      routes: {
        '/hook': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
      },
    })
    const { id } = await post('/v2/batch/scrape', { urls: pages(5), webhook: `${silent.url}/hook` })
    await expect
      .poll(async () => (await service.call('GET', `/v2/batch/scrape/${id}`)).body.status)
      .toBe('completed')
    expect(await deliveriesOf(id, 'delivered')).toEqual([])
    // The first attempt ends after ten seconds.
    await expect
      .poll(async () => (await deliveriesOf(id)).at(-1).attempts.length, { timeout: 20_000 })
      .toBe(1)
    expect((await deliveriesOf(id)).at(-1).attempts[0].error).toMatch(/within 10 s/)
    await silent.stop()
  })

  it('can be tested without a job', async ({ expect }) => {
    const { webhookId } = await post('/v2/webhooks/test', { webhook: { url: `${site.url}/hook/tested` } })
    await expect.poll(() => site.hits('/hook/tested'), { timeout: 10_000 }).toBe(1)
    const body = JSON.parse(site.requests.find((request) => request.path === '/hook/tested')?.body ?? '{}')
    expect(body).toMatchObject({ success: true, type: 'webhook.test', webhookId, data: [] })
  })

  it.each([
    ['no address', { url: 'nonsense' }],
    ['another scheme', { url: 'ftp://a.example/' }],
    ['a header of the signature', { url: 'https://a.example/', headers: { 'X-Firecrawl-Signature': 'x' } }],
    ['a header of the timed one', { url: 'https://a.example/', headers: { 'X-Winnow-Signature': 'x' } }],
    ['a header with a line break', { url: 'https://a.example/', headers: { a: 'b\r\nc: d' } }],
    ['an unknown event', { url: 'https://a.example/', events: ['page', 'lunch'] }],
    ['an unknown key', { url: 'https://a.example/', secret: 'x' }],
  ])('is rejected with %s', async (_, webhook) => {
    const answer = await service.call('POST', '/v2/batch/scrape', { body: { urls: pages(1), webhook } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  it('is signed with a secret derived from WEBHOOK_SECRET for a team without a separate secret', async ({
    expect,
  }) => {
    const { stdout } = await runCommand(['key', 'create', '--team', 'plain'], environmentOf(service))
    const key = stdout.split('\n')[0] ?? ''
    const body = { webhook: `${site.url}/hook/tested?plain` }
    const { webhookId } = (await service.call('POST', '/v2/webhooks/test', { key, body })).body
    const delivery = () => site.requests.find((request) => request.body.includes(webhookId))
    await expect.poll(() => delivery()?.headers['x-service-signature'], { timeout: 10_000 }).toBeTruthy()
    const output = await runCommand(['key', 'show', '--team', 'plain'], environmentOf(service))
    const secret = /signed with ([0-9a-f]{64})/.exec(output.stdout)?.[1] ?? ''
    const signature = (key: string) =>
      `sha256=${createHmac('sha256', key)
        .update(delivery()?.body ?? '')
        .digest('hex')}`
    expect(delivery()?.headers['x-firecrawl-signature']).toBe(signature(secret))
    expect(delivery()?.headers['x-firecrawl-signature']).not.toBe(signature(commonSecret))
  })
})

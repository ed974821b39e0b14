import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Answer, callAt, type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { type ApiRoute, apiRoutes, bodyFor, ownedTools } from './api-routes.ts'
import { attackClass } from './attack.ts'

/** The first team has one resource of each kind, and the second team tries to access them. */
let site: Site
let own: OwnService
let other = ''
/** Uses the same pages and names as the first team, and so has its own records of them. */
let neighbour = ''
const ids: Record<string, string> = {}
const marker = 'belongs-to-the-first-team'
const isBrowserThere = () => ids.session !== undefined

beforeAll(async () => {
  site = await startSite({
    routes: {
      [`/${marker}`]: (exchange) => {
        const visits = Number(/visits=(\d+)/.exec(exchange.request.headers.cookie ?? '')?.[1] ?? 0) + 1
        const text = `<p>${`${marker}, visit ${visits}. `.repeat(20)}</p>`
        sendHtml(exchange, page('Ours', text), { 'set-cookie': `visits=${visits}; max-age=3600` })
      },
    },
  })
  own = await startOwnService()
  other = await own.newTeam()
  neighbour = await own.newTeam()
  await createResources()
}, 60_000)
afterAll(async () => {
  await own.remove()
  await site.stop()
})

const target = () => `${site.url}/${marker}`
const callAsFirst = (method: string, path: string, body?: unknown, headers = {}) =>
  own.call(method, path, { body, headers })
const callAsOther = (method: string, path: string, body?: unknown, headers = {}) =>
  callAt(own.url, method, path, { key: other, body, headers })
const callAsNeighbour = (method: string, path: string, body?: unknown, headers = {}) =>
  callAt(own.url, method, path, { key: neighbour, body, headers })

async function createResources(): Promise<void> {
  const scraped = await callAsFirst('POST', '/v2/scrape', {
    url: target(),
    formats: ['markdown', { type: 'changeTracking' }],
  })
  ids.scrape = scraped.body.data.metadata.scrapeId
  const webhook = { url: `${site.url}/no-hook`, metadata: { note: marker } }
  const batch = await callAsFirst(
    'POST',
    '/v2/batch/scrape',
    { urls: [target()], webhook },
    { 'x-idempotency-key': 'same' },
  )
  ids.batch = batch.body.id
  ids.crawl = (
    await callAsFirst('POST', '/v2/crawl', { url: target(), limit: 1, maxConcurrency: 1, delay: 30 })
  ).body.id
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  ids.extract = (await callAsFirst('POST', '/v2/extract', { urls: [target()], schema })).body.id
  ids.delivery = (await callAsFirst('POST', '/v2/webhooks/test', { webhook })).body.webhookId
  ids.map = (await callAsFirst('POST', '/v2/map', { url: target() })).body.id
  const session = await callAsFirst('POST', '/v2/browser', { ttl: 300, profile: { name: 'shared' } })
  if (session.status === 200) ids.session = session.body.id
  await until('the end of the batch', 30_000, async () =>
    (await callAsFirst('GET', `/v2/batch/scrape/${ids.batch}`)).body.status === 'completed'
      ? true
      : undefined,
  )
}

/** Returns data of the first team in a response to another team. */
function findLeak(response: Answer): string | undefined {
  const text = JSON.stringify(response.body)
  const leaked = [marker, ...Object.values(ids)].find((secret) => text.includes(secret))
  return leaked === undefined
    ? undefined
    : `answered ${response.status} with ${leaked}: ${text.slice(0, 200)}`
}

/** Routes with an id of a team. Ids of papers are public. */
const ownedRoutes = apiRoutes.filter(
  ({ path }) => path.includes('{id}') && !path.startsWith('/v2/search/research/'),
)
const kinds = ['scrape', 'batch', 'crawl', 'extract', 'delivery', 'map', 'session']

attackClass<ApiRoute & { kind: string }>({
  name: 'tenancy: ids of another team at every route',
  vectors: ownedRoutes.flatMap((route) => kinds.map((kind) => ({ ...route, kind }))),
  concurrency: 4,
  run: async ({ kind, ...route }) => {
    const id = ids[kind]
    if (id === undefined) return undefined
    const body = route.takesBody ? bodyFor(route, site.url) : undefined
    const response = await callAsOther(route.method, route.path.replace('{id}', id), body)
    if (![403, 404].includes(response.status)) return `answered ${response.status} ${response.body?.code}`
    return findLeak(response)
  },
})

attackClass<{ tool: string; kind: string }>({
  name: 'tenancy: ids of another team in every tool',
  vectors: Object.keys(ownedTools).flatMap((tool) => kinds.map((kind) => ({ tool, kind }))),
  concurrency: 4,
  run: async ({ tool, kind }) => {
    const id = ids[kind]
    if (id === undefined) return undefined
    const headers = { accept: 'application/json, text/event-stream' }
    const response = await callAsOther('POST', '/mcp', ownedTools[tool]?.(id), headers)
    const isRejected = /"isError":true|"error":\{/.test(String(response.body))
    return isRejected ? findLeak(response) : `answered ${String(response.body).slice(0, 200)}`
  },
})

it('withstands tenancy: nothing of the first team was ended or changed', async () => {
  expect((await callAsFirst('GET', `/v2/scrape/${ids.scrape}`)).status).toBe(200)
  expect((await callAsFirst('GET', `/v2/batch/scrape/${ids.batch}`)).body.status).toBe('completed')
  expect((await callAsFirst('GET', `/v2/crawl/${ids.crawl}`)).body.status).not.toBe('cancelled')
  expect((await callAsFirst('GET', `/v2/extract/${ids.extract}`)).body.status).not.toBe('cancelled')
  if (isBrowserThere())
    expect((await callAsFirst('GET', `/v2/browser/${ids.session}`)).body.status).toBe('active')
})

const lists = apiRoutes.filter(
  ({ method, path, isEndless }) => method === 'GET' && !path.includes('{') && !isEndless,
)
const queries = [
  '',
  '?limit=100',
  '?limit=1000000',
  '?cursor=CURSOR',
  '?jobId=JOB',
  '?skip=0&teamId=TEAM',
  '?state=failed',
]

attackClass<{ path: string; query: string }>({
  name: 'tenancy: lists, cursors and filters',
  vectors: lists.flatMap(({ path }) => queries.map((query) => ({ path, query }))),
  short: 60,
  concurrency: 4,
  run: async ({ path, query }) => {
    const cursors = path.includes('deliveries')
      ? [ids.delivery]
      : [ids.scrape, ids.batch, await activityCursor()]
    for (const cursor of cursors) {
      const filledQuery = query
        .replace('CURSOR', encodeURIComponent(cursor ?? ''))
        .replace('JOB', ids.batch ?? '')
        .replace('TEAM', 'default')
      const harm = findLeak(await callAsOther('GET', path + filledQuery))
      if (harm) return harm
    }
    return undefined
  },
})

const activityCursor = async () => (await callAsFirst('GET', '/v2/team/activity?limit=1')).body.cursor ?? 'x'

attackClass<{ what: string; attempt: () => Promise<string | undefined> }>({
  name: 'tenancy: what teams could share by name or address',
  vectors: [
    { what: 'a page of the cache by its age', attempt: () => expectStatus(404, scrape({ minAge: 1 })) },
    { what: 'a page of the cache in lockdown', attempt: () => expectStatus(404, scrape({ lockdown: true })) },
    {
      what: 'the history of a page',
      attempt: async () => {
        const { body } = await scrape({ formats: ['markdown', { type: 'changeTracking' }] })
        const { changeStatus } = body.data.changeTracking
        return changeStatus === 'new' ? undefined : `is ${changeStatus}`
      },
    },
    {
      what: 'an idempotency key',
      attempt: async () => {
        const response = await callAsNeighbour(
          'POST',
          '/v2/batch/scrape',
          { urls: [site.url] },
          { 'x-idempotency-key': 'same' },
        )
        return response.status === 200
          ? findLeak(response)
          : `answered ${response.status} ${response.body.code}`
      },
    },
    {
      what: 'adding to a batch',
      attempt: () =>
        expectStatus(
          404,
          callAsNeighbour('POST', '/v2/batch/scrape', { urls: [site.url], appendToId: ids.batch }),
        ),
    },
    {
      what: 'the events of a batch',
      attempt: () => expectStatus(403, callAsNeighbour('GET', `/v2/batch/scrape/${ids.batch}/events`)),
    },
    {
      what: 'the events of a crawl',
      attempt: () => expectStatus(403, callAsNeighbour('GET', `/v2/crawl/${ids.crawl}/events`)),
    },
    { what: 'the events of the team', attempt: eventsOfTeam },
    { what: 'the tracked page', attempt: trackedPage },
    { what: 'the socket of a batch', attempt: () => findSocketLeak(`/v2/batch/scrape/${ids.batch}`) },
    { what: 'the socket of a crawl', attempt: () => findSocketLeak(`/v2/crawl/${ids.crawl}`) },
    { what: 'the name of a profile', attempt: sharedProfile },
  ],
  run: ({ attempt }) => attempt(),
})

const scrape = (options: object) => callAsNeighbour('POST', '/v2/scrape', { url: target(), ...options })

async function expectStatus(status: number, call: Promise<Answer>): Promise<string | undefined> {
  const response = await call
  return response.status === status
    ? undefined
    : `answered ${response.status} ${JSON.stringify(response.body).slice(0, 200)}`
}

/** Returns the first team's events in the neighbour's event stream. */
async function eventsOfTeam(): Promise<string | undefined> {
  const abort = new AbortController()
  const response = await fetch(`${own.url}/v2/team/events`, {
    headers: { authorization: `Bearer ${neighbour}` },
    signal: abort.signal,
  })
  let received = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  await callAsFirst('POST', '/v2/scrape', { url: target(), maxAge: 0 })
  // The neighbour's call follows the call of the first team.
  await callAsNeighbour('POST', '/v2/scrape', { url: `${site.url}/article`, maxAge: 0 })
  await until('an event of its own', 10_000, async () => received.includes('/article') || undefined)
  abort.abort()
  await reading
  return received.includes(marker) ? `told ${received.slice(0, 200)}` : undefined
}

async function trackedPage(): Promise<string | undefined> {
  const { body } = await callAsFirst('GET', `/v2/team/tracked-pages?search=${marker}`)
  const id = body.data[0]?.id
  if (id === undefined) return 'the first team has no tracked page'
  for (const path of ['', '/diff']) {
    const response = await callAsOther('GET', `/v2/team/tracked-pages/${id}${path}`)
    if (response.status !== 404) return `answered ${response.status}`
  }
  return undefined
}

async function findSocketLeak(path: string): Promise<string | undefined> {
  const socket = new WebSocket(own.url.replace('http', 'ws') + path, [], {
    headers: { authorization: `Bearer ${neighbour}` },
  })
  const messages: string[] = []
  socket.on('message', (message) => messages.push(String(message)))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return messages.join().includes(marker) || messages.join().includes('"data"')
    ? messages.join().slice(0, 200)
    : undefined
}

/** Both teams have a profile with the same name, and the neighbour deletes its own. */
async function sharedProfile(): Promise<string | undefined> {
  const visit = async (call: typeof callAsFirst) => {
    const body = { url: target(), profile: { name: 'visits' }, formats: ['markdown'] }
    const response = await call('POST', '/v2/scrape', body)
    return { status: response.status, visit: /visit (\d+)/.exec(response.body.data?.markdown ?? '')?.[1] }
  }
  if ((await visit(callAsFirst)).status === 503) return undefined
  const second = (await visit(callAsFirst)).visit
  const foreign = (await visit(callAsNeighbour)).visit
  await callAsNeighbour('DELETE', '/v2/browser/profiles/visits')
  const third = (await visit(callAsFirst)).visit
  const visitCounts = [second, foreign, third].join()
  return visitCounts === '2,1,3' ? undefined : `saw visits ${visitCounts}`
}

it('shows the first team its own calls', async () => {
  const { body } = await callAsFirst('GET', '/v2/team/activity')
  expect(body.data.length).toBeGreaterThan(3)
})

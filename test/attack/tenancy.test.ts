import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Answer, callAt, type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { type ApiRoute, apiRoutes, bodyFor, ownedTools } from './api-routes.ts'
import { attackClass } from './attack.ts'

/** The first team has one of everything; the second one wants it. */
let site: Site
let own: OwnService
let other = ''
/** Uses what the first team uses, and so has traces of it that are its own. */
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
  await makeOneOfEach()
}, 60_000)
afterAll(async () => {
  await own.remove()
  await site.stop()
})

const target = () => `${site.url}/${marker}`
const mine = (method: string, path: string, body?: unknown, headers = {}) =>
  own.call(method, path, { body, headers })
const theirs = (method: string, path: string, body?: unknown, headers = {}) =>
  callAt(own.url, method, path, { key: other, body, headers })
const neighbours = (method: string, path: string, body?: unknown, headers = {}) =>
  callAt(own.url, method, path, { key: neighbour, body, headers })

async function makeOneOfEach(): Promise<void> {
  const scraped = await mine('POST', '/v2/scrape', {
    url: target(),
    formats: ['markdown', { type: 'changeTracking' }],
  })
  ids.scrape = scraped.body.data.metadata.scrapeId
  const webhook = { url: `${site.url}/no-hook`, metadata: { note: marker } }
  const batch = await mine(
    'POST',
    '/v2/batch/scrape',
    { urls: [target()], webhook },
    { 'x-idempotency-key': 'same' },
  )
  ids.batch = batch.body.id
  ids.crawl = (
    await mine('POST', '/v2/crawl', { url: target(), limit: 1, maxConcurrency: 1, delay: 30 })
  ).body.id
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  ids.extract = (await mine('POST', '/v2/extract', { urls: [target()], schema })).body.id
  ids.delivery = (await mine('POST', '/v2/webhooks/test', { webhook })).body.webhookId
  ids.map = (await mine('POST', '/v2/map', { url: target() })).body.id
  const session = await mine('POST', '/v2/browser', { ttl: 300, profile: { name: 'shared' } })
  if (session.status === 200) ids.session = session.body.id
  await until('the end of the batch', 30_000, async () =>
    (await mine('GET', `/v2/batch/scrape/${ids.batch}`)).body.status === 'completed' ? true : undefined,
  )
}

/** What of the first team stands in an answer to the second. */
function shownIn(answer: Answer): string | undefined {
  const text = JSON.stringify(answer.body)
  const found = [marker, ...Object.values(ids)].find((secret) => text.includes(secret))
  return found === undefined ? undefined : `answered ${answer.status} with ${found}: ${text.slice(0, 200)}`
}

/** Papers belong to nobody. */
const ownedRoutes = apiRoutes.filter(
  ({ path }) => path.includes('{id}') && !path.startsWith('/v2/search/research/'),
)
const kinds = ['scrape', 'batch', 'crawl', 'extract', 'delivery', 'map', 'session']

attackClass<ApiRoute & { kind: string }>({
  name: 'tenancy: ids of another team at every route',
  vectors: ownedRoutes.flatMap((route) => kinds.map((kind) => ({ ...route, kind }))),
  atOnce: 4,
  strike: async ({ kind, ...route }) => {
    const id = ids[kind]
    if (id === undefined) return undefined
    const body = route.takesBody ? bodyFor(route, site.url) : undefined
    const answer = await theirs(route.method, route.path.replace('{id}', id), body)
    if (![403, 404].includes(answer.status)) return `answered ${answer.status} ${answer.body?.code}`
    return shownIn(answer)
  },
})

attackClass<{ tool: string; kind: string }>({
  name: 'tenancy: ids of another team in every tool',
  vectors: Object.keys(ownedTools).flatMap((tool) => kinds.map((kind) => ({ tool, kind }))),
  atOnce: 4,
  strike: async ({ tool, kind }) => {
    const id = ids[kind]
    if (id === undefined) return undefined
    const headers = { accept: 'application/json, text/event-stream' }
    const answer = await theirs('POST', '/mcp', ownedTools[tool]?.(id), headers)
    const isRefused = /"isError":true|"error":\{/.test(String(answer.body))
    return isRefused ? shownIn(answer) : `answered ${String(answer.body).slice(0, 200)}`
  },
})

it('holds against tenancy: nothing of the first team was ended or changed', async () => {
  expect((await mine('GET', `/v2/scrape/${ids.scrape}`)).status).toBe(200)
  expect((await mine('GET', `/v2/batch/scrape/${ids.batch}`)).body.status).toBe('completed')
  expect((await mine('GET', `/v2/crawl/${ids.crawl}`)).body.status).not.toBe('cancelled')
  expect((await mine('GET', `/v2/extract/${ids.extract}`)).body.status).not.toBe('cancelled')
  if (isBrowserThere()) expect((await mine('GET', `/v2/browser/${ids.session}`)).body.status).toBe('active')
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
  atOnce: 4,
  strike: async ({ path, query }) => {
    const cursors = path.includes('deliveries')
      ? [ids.delivery]
      : [ids.scrape, ids.batch, await activityCursor()]
    for (const cursor of cursors) {
      const asked = query
        .replace('CURSOR', encodeURIComponent(cursor ?? ''))
        .replace('JOB', ids.batch ?? '')
        .replace('TEAM', 'default')
      const harm = shownIn(await theirs('GET', path + asked))
      if (harm) return harm
    }
    return undefined
  },
})

const activityCursor = async () => (await mine('GET', '/v2/team/activity?limit=1')).body.cursor ?? 'x'

attackClass<{ what: string; attempt: () => Promise<string | undefined> }>({
  name: 'tenancy: what teams could share by name or address',
  vectors: [
    { what: 'a page of the cache by its age', attempt: () => expects(404, scrape({ minAge: 1 })) },
    { what: 'a page of the cache in lockdown', attempt: () => expects(404, scrape({ lockdown: true })) },
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
        const answer = await neighbours(
          'POST',
          '/v2/batch/scrape',
          { urls: [site.url] },
          { 'x-idempotency-key': 'same' },
        )
        return answer.status === 200 ? shownIn(answer) : `answered ${answer.status} ${answer.body.code}`
      },
    },
    {
      what: 'adding to a batch',
      attempt: () =>
        expects(404, neighbours('POST', '/v2/batch/scrape', { urls: [site.url], appendToId: ids.batch })),
    },
    {
      what: 'the events of a batch',
      attempt: () => expects(403, neighbours('GET', `/v2/batch/scrape/${ids.batch}/events`)),
    },
    {
      what: 'the events of a crawl',
      attempt: () => expects(403, neighbours('GET', `/v2/crawl/${ids.crawl}/events`)),
    },
    { what: 'the events of the team', attempt: eventsOfTeam },
    { what: 'the tracked page', attempt: trackedPage },
    { what: 'the socket of a batch', attempt: () => socketIsRefused(`/v2/batch/scrape/${ids.batch}`) },
    { what: 'the socket of a crawl', attempt: () => socketIsRefused(`/v2/crawl/${ids.crawl}`) },
    { what: 'the name of a profile', attempt: sharedProfile },
  ],
  strike: ({ attempt }) => attempt(),
})

const scrape = (options: object) => neighbours('POST', '/v2/scrape', { url: target(), ...options })

async function expects(status: number, answer: Promise<Answer>): Promise<string | undefined> {
  const given = await answer
  return given.status === status
    ? undefined
    : `answered ${given.status} ${JSON.stringify(given.body).slice(0, 200)}`
}

/** What the stream of another team says while the first team works. */
async function eventsOfTeam(): Promise<string | undefined> {
  const leaving = new AbortController()
  const response = await fetch(`${own.url}/v2/team/events`, {
    headers: { authorization: `Bearer ${neighbour}` },
    signal: leaving.signal,
  })
  let told = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) told += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  await mine('POST', '/v2/scrape', { url: target(), maxAge: 0 })
  // Its own call comes behind that of the first team.
  await neighbours('POST', '/v2/scrape', { url: `${site.url}/article`, maxAge: 0 })
  await until('an event of its own', 10_000, async () => told.includes('/article') || undefined)
  leaving.abort()
  await reading
  return told.includes(marker) ? `told ${told.slice(0, 200)}` : undefined
}

async function trackedPage(): Promise<string | undefined> {
  const { body } = await mine('GET', `/v2/team/tracked-pages?search=${marker}`)
  const id = body.data[0]?.id
  if (id === undefined) return 'the first team has no tracked page'
  for (const path of ['', '/diff']) {
    const answer = await theirs('GET', `/v2/team/tracked-pages/${id}${path}`)
    if (answer.status !== 404) return `answered ${answer.status}`
  }
  return undefined
}

async function socketIsRefused(path: string): Promise<string | undefined> {
  const socket = new WebSocket(own.url.replace('http', 'ws') + path, [], {
    headers: { authorization: `Bearer ${neighbour}` },
  })
  const heard: string[] = []
  socket.on('message', (message) => heard.push(String(message)))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('close', resolve))
  return heard.join().includes(marker) || heard.join().includes('"data"')
    ? heard.join().slice(0, 200)
    : undefined
}

/** Both teams have a profile of the same name, and one of them deletes it. */
async function sharedProfile(): Promise<string | undefined> {
  const visit = async (call: typeof mine) => {
    const body = { url: target(), profile: { name: 'visits' }, formats: ['markdown'] }
    const answer = await call('POST', '/v2/scrape', body)
    return { status: answer.status, visit: /visit (\d+)/.exec(answer.body.data?.markdown ?? '')?.[1] }
  }
  if ((await visit(mine)).status === 503) return undefined
  const second = (await visit(mine)).visit
  const foreign = (await visit(neighbours)).visit
  await neighbours('DELETE', '/v2/browser/profiles/visits')
  const third = (await visit(mine)).visit
  const seen = [second, foreign, third].join()
  return seen === '2,1,3' ? undefined : `saw visits ${seen}`
}

it('shows the first team its own calls', async () => {
  const { body } = await mine('GET', '/v2/team/activity')
  expect(body.data.length).toBeGreaterThan(3)
})

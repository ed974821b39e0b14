import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, inject, it } from 'vitest'
import { call, type Json, type OwnService, scrape, startOwnService, teamKey } from '../api.ts'
import { until } from '../servers/until.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

interface Told {
  type: string
  data: Json
}

/** The events of a team, as they come in. */
async function follow(base: string, key: string) {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${base}/v2/team/events`, { headers, signal: leaving.signal })
  const told: Told[] = []
  let hasEnded = false
  const reading = read(response, told)
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  return {
    response,
    told,
    hasEnded: () => hasEnded,
    reading,
    leave: () => leaving.abort(),
    jobs: (id: string) => told.filter(({ type, data }) => type === 'job' && data.id === id),
    /** The event that ends a job. */
    end: (find: (data: Json) => boolean) =>
      until('the end of a job', 20_000, async () =>
        told.find(({ type, data }) => type === 'job' && data.state !== 'running' && find(data)),
      ),
  }
}

async function read(response: Response, told: Told[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [type = '', data = ''] = block.split('\ndata: ')
      if (type.startsWith('event: ')) told.push({ type: type.slice(7), data: JSON.parse(data) })
    }
  }
}

const base = (at = 0) => {
  const { urls } = inject('deployment')
  return urls[at % urls.length] ?? ''
}

it('tells of the start and the end of a call, whichever process answers it', async ({ expect }) => {
  const stream = await follow(base(), teamKey())
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  for (const turn of ['one', 'other']) {
    const url = `${site.url}/article?events=${turn}`
    const { body } = await scrape({ url, maxAge: 0 })
    const { data } = await stream.end(({ target }) => target === url)
    expect(data).toMatchObject({ id: body.data.metadata.scrapeId, kind: 'scrape', state: 'completed' })
    expect(stream.jobs(data.id).map(({ data }) => data.state)).toEqual(['running', 'completed'])
  }
  stream.leave()
})

it('tells why a call failed', async ({ expect }) => {
  const stream = await follow(base(1), teamKey())
  const url = 'http://no-such-host.invalid/'
  await scrape({ url, maxAge: 0 })
  const { data } = await stream.end(({ target }) => target === url)
  expect(data).toMatchObject({ state: 'failed', code: 'SCRAPE_DNS_RESOLUTION_ERROR', parentId: null })
  stream.leave()
})

it('counts the pages of a batch, and tells of no page by itself', async ({ expect }) => {
  const stream = await follow(base(), teamKey())
  const urls = Array.from({ length: 12 }, (_, index) => `${site.url}/slow?ms=${index * 100}&events`)
  const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0 } })
  await stream.end(({ id }) => id === body.id)
  expect(stream.jobs(body.id).map(({ data }) => data.state)).toEqual(['running', 'completed'])
  const counts = stream.told.filter(({ type, data }) => type === 'progress' && data.id === body.id)
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.length).toBeLessThan(12)
  expect(counts.at(-1)?.data).toMatchObject({ kind: 'batch_scrape', completed: 12, running: 0, queued: 0 })
  expect(stream.told.filter(({ data }) => data.kind === 'scrape' && urls.includes(data.target))).toEqual([])
  stream.leave()
})

it('tells of a crawl that is cancelled', async ({ expect }) => {
  const stream = await follow(base(1), teamKey())
  const { body } = await call('POST', '/v2/crawl', { body: { url: `${site.url}/tree`, delay: 30 } })
  await call('DELETE', `/v2/crawl/${body.id}`)
  const { data } = await stream.end(({ id }) => id === body.id)
  expect(data).toMatchObject({ kind: 'crawl', state: 'cancelled', target: `${site.url}/tree` })
  stream.leave()
})

it('asks for a key', async ({ expect }) => {
  expect((await call('GET', '/v2/team/events', { key: null })).status).toBe(401)
})

it('limits the streams of a team, sends nothing to another team, and ends with the service', async ({
  expect,
}) => {
  const own: OwnService = await startOwnService({ MAX_SOCKETS_PER_TEAM: '20' })
  const other = await follow(own.url, await own.newTeam())
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(own.url, own.key)))
  const refused = await own.call('GET', '/v2/team/events')
  expect({ status: refused.status, code: refused.body.code, bound: refused.body.bound }).toEqual({
    ...{ status: 429, code: 'TOO_MANY_SOCKETS', bound: 'MAX_SOCKETS_PER_TEAM' },
  })
  const { body } = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/article` } })
  for (const stream of open) await stream.end(({ id }) => id === body.data.metadata.scrapeId)
  expect(other.told).toEqual([])
  open[0]?.leave()
  const again = await until('room for one more', 5000, async () => {
    const stream = await follow(own.url, own.key)
    return stream.response.status === 200 ? stream : undefined
  })
  await own.stop()
  await Promise.all([...open.slice(1), other, again].map(({ reading }) => reading))
  await own.remove()
})

it('ends the streams of a revoked key and keeps no listener of clients that left at random moments', async ({
  expect,
}) => {
  const own: OwnService = await startOwnService({ RATE_PER_MINUTE: '100000' })
  // On PostgreSQL the key is revoked by another process than the one that has the streams.
  const other = own.environment.DATABASE_URL === undefined ? own : await own.again()
  const { team } = (await own.call('GET', '/v2/operator/keys')).body.data[0]
  const made = (await own.call('POST', '/v2/operator/keys', { body: { teamId: team.id } })).body
  const doomed = await Promise.all([1, 2, 3].map(() => follow(own.url, made.key)))
  const staying = await follow(own.url, own.key)
  await other.call('DELETE', `/v2/operator/keys/${made.data.id}`)
  await Promise.all(doomed.map(({ reading }) => reading))
  expect(staying.hasEnded()).toBe(false)
  await until('the refusal of the key', 5000, async () => {
    const { status } = await own
      .call('GET', '/v2/team/events', { key: made.key })
      .catch(() => ({ status: 0 }))
    return status === 401 ? true : undefined
  })
  staying.leave()

  const headers = { authorization: `Bearer ${own.key}` }
  const races = Array.from({ length: 100 }, async (_, index) => {
    // Clients that come in groups meet a subscription that opens, is open or ends.
    await sleep((index % 10) * 20)
    const signal = AbortSignal.timeout(1 + (index % 12))
    await fetch(`${own.url}/v2/team/events`, { headers, signal }).catch(() => undefined)
  })
  await Promise.all(races)
  await until('the end of all listeners', 20_000, async () => {
    const { body } = await own.call('GET', '/metrics')
    return /^winnow_event_listeners 0$/m.test(body) && /^winnow_connections_open 0$/m.test(body)
      ? true
      : undefined
  })
  await Promise.all([...new Set([own, other])].map((service) => service.stop()))
  await own.remove()
})

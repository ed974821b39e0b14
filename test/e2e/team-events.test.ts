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

interface StreamEvent {
  type: string
  data: Json
}

/** Opens the event stream of a team, and collects its events. */
async function openStream(baseUrl: string, key: string) {
  const controller = new AbortController()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${baseUrl}/v2/team/events`, { headers, signal: controller.signal })
  const events: StreamEvent[] = []
  let hasEnded = false
  const reading = read(response, events)
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  return {
    response,
    told: events,
    hasEnded: () => hasEnded,
    reading,
    close: () => controller.abort(),
    jobEvents: (id: string) => events.filter(({ type, data }) => type === 'job' && data.id === id),
    /** Returns the event that ends a job. */
    waitForEnd: (matches: (data: Json) => boolean) =>
      until('the end of a job', 20_000, async () =>
        events.find(({ type, data }) => type === 'job' && data.state !== 'running' && matches(data)),
      ),
  }
}

async function read(response: Response, events: StreamEvent[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [type = '', data = ''] = block.split('\ndata: ')
      if (type.startsWith('event: ')) events.push({ type: type.slice(7), data: JSON.parse(data) })
    }
  }
}

const urlOfProcess = (index = 0) => {
  const { urls } = inject('deployment')
  return urls[index % urls.length] ?? ''
}

it('publishes the start and the end of a call of any process', async ({ expect }) => {
  const stream = await openStream(urlOfProcess(), teamKey())
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  for (const name of ['one', 'other']) {
    const url = `${site.url}/article?events=${name}`
    const { body } = await scrape({ url, maxAge: 0 })
    const { data } = await stream.waitForEnd(({ target }) => target === url)
    expect(data).toMatchObject({ id: body.data.metadata.scrapeId, kind: 'scrape', state: 'completed' })
    expect(stream.jobEvents(data.id).map(({ data }) => data.state)).toEqual(['running', 'completed'])
  }
  stream.close()
})

it('publishes the error code of a failed call', async ({ expect }) => {
  const stream = await openStream(urlOfProcess(1), teamKey())
  const url = 'http://no-such-host.invalid/'
  await scrape({ url, maxAge: 0 })
  const { data } = await stream.waitForEnd(({ target }) => target === url)
  expect(data).toMatchObject({ state: 'failed', code: 'SCRAPE_DNS_RESOLUTION_ERROR', parentId: null })
  stream.close()
})

it('publishes the progress of a batch, but no events of its pages', async ({ expect }) => {
  const stream = await openStream(urlOfProcess(), teamKey())
  const urls = Array.from({ length: 12 }, (_, index) => `${site.url}/slow?ms=${index * 100}&events`)
  const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0 } })
  await stream.waitForEnd(({ id }) => id === body.id)
  expect(stream.jobEvents(body.id).map(({ data }) => data.state)).toEqual(['running', 'completed'])
  const counts = stream.told.filter(({ type, data }) => type === 'progress' && data.id === body.id)
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.length).toBeLessThan(12)
  expect(counts.at(-1)?.data).toMatchObject({ kind: 'batch_scrape', completed: 12, running: 0, queued: 0 })
  expect(stream.told.filter(({ data }) => data.kind === 'scrape' && urls.includes(data.target))).toEqual([])
  stream.close()
})

it('publishes the cancellation of a crawl', async ({ expect }) => {
  const stream = await openStream(urlOfProcess(1), teamKey())
  const { body } = await call('POST', '/v2/crawl', { body: { url: `${site.url}/tree`, delay: 30 } })
  await call('DELETE', `/v2/crawl/${body.id}`)
  const { data } = await stream.waitForEnd(({ id }) => id === body.id)
  expect(data).toMatchObject({ kind: 'crawl', state: 'cancelled', target: `${site.url}/tree` })
  stream.close()
})

it('requires a key', async ({ expect }) => {
  expect((await call('GET', '/v2/team/events', { key: null })).status).toBe(401)
})

it('limits the streams of a team, sends nothing to another team, and ends with the service', async ({
  expect,
}) => {
  const own: OwnService = await startOwnService({ MAX_SOCKETS_PER_TEAM: '20' })
  const other = await openStream(own.url, await own.newTeam())
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(own.url, own.key)))
  const rejected = await own.call('GET', '/v2/team/events')
  expect({ status: rejected.status, code: rejected.body.code, bound: rejected.body.bound }).toEqual({
    ...{ status: 429, code: 'TOO_MANY_SOCKETS', bound: 'MAX_SOCKETS_PER_TEAM' },
  })
  const { body } = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/article` } })
  for (const stream of streams) await stream.waitForEnd(({ id }) => id === body.data.metadata.scrapeId)
  expect(other.told).toEqual([])
  streams[0]?.close()
  const again = await until('room for one more', 5000, async () => {
    const stream = await openStream(own.url, own.key)
    return stream.response.status === 200 ? stream : undefined
  })
  await own.stop()
  await Promise.all([...streams.slice(1), other, again].map(({ reading }) => reading))
  await own.remove()
})

it('ends the streams of a revoked key, and removes the listeners of clients that disconnect at random moments', async ({
  expect,
}) => {
  const own: OwnService = await startOwnService({ RATE_PER_MINUTE: '100000' })
  // On PostgreSQL, the key is revoked by another process than the one with the streams.
  const other = own.environment.DATABASE_URL === undefined ? own : await own.again()
  const { team } = (await own.call('GET', '/v2/operator/keys')).body.data[0]
  const created = (await own.call('POST', '/v2/operator/keys', { body: { teamId: team.id } })).body
  const revokedStreams = await Promise.all([1, 2, 3].map(() => openStream(own.url, created.key)))
  const otherStream = await openStream(own.url, own.key)
  await other.call('DELETE', `/v2/operator/keys/${created.data.id}`)
  await Promise.all(revokedStreams.map(({ reading }) => reading))
  expect(otherStream.hasEnded()).toBe(false)
  await until('the refusal of the key', 5000, async () => {
    const { status } = await own
      .call('GET', '/v2/team/events', { key: created.key })
      .catch(() => ({ status: 0 }))
    return status === 401 ? true : undefined
  })
  otherStream.close()

  const headers = { authorization: `Bearer ${own.key}` }
  const races = Array.from({ length: 100 }, async (_, index) => {
    // Groups of clients connect while a subscription opens, is open, or ends.
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

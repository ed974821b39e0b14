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
  const own: OwnService = await startOwnService()
  const other = await follow(own.url, await own.newTeam())
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(own.url, own.key)))
  const refused = await own.call('GET', '/v2/team/events')
  expect({ status: refused.status, code: refused.body.code, bound: refused.body.bound }).toEqual({
    ...{ status: 503, code: 'TOO_MANY_SOCKETS', bound: 'MAX_EVENT_STREAMS' },
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

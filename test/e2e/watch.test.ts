import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { WebSocket } from 'ws'
import { call, type Json, teamKey as key } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
const gates = new Map<string, Promise<void>>()
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/held/:batch/:number': async (exchange) => {
        const { batch = '', number = '' } = exchange.params
        if (number === '0') await gates.get(batch)
        sendHtml(exchange, page(`Held ${number}`, '<p>A page of a batch.</p>'))
      },
    },
  })
})
afterAll(() => site.stop())

const base = () => inject('deployment').urls[0] ?? ''

interface ListenOptions {
  protocol?: string
  authorization?: string
  /** Called for every message. */
  heard?: () => void
}

/** Collects everything that a socket receives until it is closed. */
function listen(path: string, options: ListenOptions): Promise<Json> {
  const headers = options.authorization === undefined ? {} : { authorization: options.authorization }
  const socket = new WebSocket(base().replace('http', 'ws') + path, options.protocol ?? [], { headers })
  const messages: Json[] = []
  socket.on('message', (text) => {
    messages.push(JSON.parse(text.toString()))
    options.heard?.()
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => resolve({ messages, code, protocol: socket.protocol }))
  })
}

/** Returns the events of an event stream. Calls `onEvent` for every part that contains an event. */
async function eventsOf(path: string, onEvent = () => {}): Promise<{ type: string; data: Json }[]> {
  const headers = { authorization: `Bearer ${key()}` }
  const response = await fetch(`${base()}${path}/events`, { headers })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let received = ''
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += text
    if (received.includes('event: ')) onEvent()
  }
  return received
    .split('\n\n')
    .filter((text) => text.startsWith('event: '))
    .map((text) => {
      const [type = '', data = ''] = text.split('\ndata: ')
      return { type: type.replace('event: ', ''), data: JSON.parse(data) }
    })
}

const titles = (messages: Json[]) =>
  messages
    .flatMap(({ type, data }) => (type === 'document' ? [data] : data.data))
    .map((document: Json) => document.metadata.title)

async function start(path: string, body: object): Promise<string> {
  const answer = await call('POST', path, { body: { ...body } })
  expect(answer.status).toBe(200)
  return answer.body.id
}

/**
 * Creates a batch with one page that waits until it is released, so that the batch still runs when its watcher
 * connects.
 */
function heldBatch(count: number) {
  const name = randomUUID()
  const gate = Promise.withResolvers<void>()
  gates.set(name, gate.promise)
  const urls = Array.from({ length: count }, (_, index) => `${site.url}/held/${name}/${index}`)
  return { body: { urls, maxAge: 0 }, letThrough: gate.resolve }
}

describe('a watcher', () => {
  it('by WebSocket receives every document of a batch once, and its end', async () => {
    const { body, letThrough } = heldBatch(8)
    const id = await start('/v2/batch/scrape', body)
    const options = { protocol: key(), heard: letThrough }
    const { messages, code, protocol } = await listen(`/v2/batch/scrape/${id}`, options)
    expect({ code, protocol }).toEqual({ code: 1000, protocol: key() })
    expect(messages[0]).toMatchObject({
      type: 'catchup',
      data: { success: true, status: 'scraping', total: 8 },
    })
    expect(messages.at(-1)).toMatchObject({
      type: 'done',
      data: { status: 'completed', completed: 8, total: 8 },
    })
    const beforeEnd = messages.slice(0, -1)
    expect(titles(beforeEnd)).toHaveLength(8)
    expect(messages.at(-1).data.data).toHaveLength(8)
  })

  it('of a crawl can send its key as a header', async () => {
    const id = await start('/v2/crawl', { url: `${site.url}/tree`, limit: 5 })
    const { messages, code } = await listen(`/v2/crawl/${id}`, { authorization: `Bearer ${key()}` })
    expect(code).toBe(1000)
    expect(messages.at(-1).data).toMatchObject({ status: 'completed', completed: 5 })
  })

  it.each([
    ['batch/scrape', () => ({ urls: [`${site.url}/pages/1`, `${site.url}/pages/2`] })],
    ['crawl', () => ({ url: `${site.url}/tree`, limit: 2 })],
  ])('of a completed %s receives the documents, and then the end', async (path, body) => {
    const id = await start(`/v2/${path}`, body())
    await expect.poll(async () => (await call('GET', `/v2/${path}/${id}`)).body.status).toBe('completed')
    const { messages } = await listen(`/v2/${path}/${id}`, { protocol: key() })
    expect(messages.map((message: Json) => message.type)).toEqual(['document', 'document', 'done'])
    expect(messages.at(-1).data).toMatchObject({ status: 'completed', completed: 2 })
    expect((await eventsOf(`/v2/${path}/${id}`)).map(({ type }) => type)).toEqual([
      ...['document', 'document', 'done'],
    ])
  })

  it('receives the failed status of a crawl before its end', async () => {
    const id = await start('/v2/crawl', { url: `${site.url}/reset?watched` })
    await expect.poll(async () => (await call('GET', `/v2/crawl/${id}`)).body.status).toBe('failed')
    const { messages, code } = await listen(`/v2/crawl/${id}`, { protocol: key() })
    expect(code).toBe(1000)
    // Clients treat "done" as "completed", so the failure must precede it.
    expect(messages).toMatchObject([
      { type: 'catchup', data: { status: 'failed' } },
      { type: 'done', data: { status: 'failed' } },
    ])
  })

  it('receives the cancellation of a job', async () => {
    const id = await start('/v2/crawl', { url: `${site.url}/hang?watched` })
    const closed = listen(`/v2/crawl/${id}`, { protocol: key() })
    await expect.poll(async () => (await call('GET', `/v2/crawl/${id}`)).body.status).toBe('scraping')
    await call('DELETE', `/v2/crawl/${id}`)
    const { messages, code } = await closed
    expect(code).toBe(1000)
    const data = { status: 'cancelled', error: expect.stringContaining('cancelled by a call') }
    expect(messages.slice(-2)).toMatchObject([
      { type: 'catchup', data },
      { type: 'done', data },
    ])
  })

  it.each([
    ['a wrong key', 'crawl/00000000-0000-7000-8000-000000000000', 'fc-wrong', 3000],
    ['an unknown job', 'crawl/00000000-0000-7000-8000-000000000000', undefined, 1008],
    ['an id that is none', 'batch/scrape/nonsense', undefined, 1008],
  ])('is rejected with %s', async (_, path, protocol, expected) => {
    const { code, messages } = await listen(`/v2/${path}`, { protocol: protocol ?? key() })
    expect(code).toBe(expected)
    expect(messages).toMatchObject([{ type: 'error', error: expect.any(String) }])
  })

  it('is rejected if the path has nothing to watch', async () => {
    await expect(listen('/v2/scrape', { protocol: key() })).rejects.toThrow(/404/)
  })

  it('by server-sent events receives the same', async () => {
    const { body, letThrough } = heldBatch(4)
    const id = await start('/v2/batch/scrape', body)
    const events = await eventsOf(`/v2/batch/scrape/${id}`, letThrough)
    expect(events[0]?.type).toBe('catchup')
    expect(events.at(-1)).toMatchObject({ type: 'done', data: { status: 'completed', completed: 4 } })
    expect(titles(events.slice(0, -1))).toHaveLength(4)
  })

  it('by server-sent events is documented', async () => {
    const { paths } = (await call('GET', '/v2/openapi.json')).body
    for (const path of ['/v2/crawl/{id}/events', '/v2/batch/scrape/{id}/events']) {
      const { parameters, responses } = paths[path].get
      expect(parameters).toMatchObject([{ name: 'id', in: 'path', required: true }])
      const { description } = responses[200].content['text/event-stream'].schema
      for (const type of ['catchup', 'document', 'done']) expect(description).toContain(`\`${type}\``)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '403', '404']))
    }
  })

  it('by server-sent events is rejected like any other call', async () => {
    expect(await call('GET', '/v2/crawl/nonsense/events')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_JOB_ID' },
    })
    expect(await call('GET', '/v2/crawl/nonsense/events', { key: null })).toMatchObject({ status: 401 })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../api.ts'
import { page, send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { randomText, type Stored, startStored, stores } from './stored.ts'

const kilobyte = 1024
const seeds = new Map<string, number>()

const tone = `RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data${'.'.repeat(400)}`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      // The size is in kilobytes. Each URL has its own text, which does not change.
      '/text/:size': (exchange) => {
        const { href } = exchange.url
        if (!seeds.has(href)) seeds.set(href, seeds.size)
        const text = randomText(seeds.get(href) ?? 0, Number(exchange.params.size) * kilobyte)
        sendHtml(exchange, page('Text', `<p>${text.replaceAll(/(.{4000})/g, '$1</p><p>')}</p>`))
      },
      '/podcast': (exchange) => sendHtml(exchange, page('Podcast', '<audio src="/tone.wav"></audio>')),
      '/tone.wav': ({ response }) =>
        send(response, { 'content-type': 'audio/wav' }, Buffer.from(tone, 'latin1')),
    },
  })
})
afterAll(() => site.stop())

describe.each(stores)('a damaged blob on %s', { timeout: 120_000 }, (kind) => {
  let stored: Stored
  beforeAll(async () => {
    // Checked responses are buffered in memory. Without checks, responses are streamed, as in production.
    stored = await startStored(kind, { CHECK_RESPONSES: 'off' })
  })
  afterAll(() => stored.stop())

  const text = (size: number) => `${site.url}/text/${size}?n=${Math.random()}`
  const scrape = (url: string, options: object = {}) =>
    stored.call('POST', '/v2/scrape', { body: { url, formats: ['rawHtml'], ...options } })

  async function blobOfResult(id: string): Promise<string> {
    const { store } = await stored.open()
    const row = await store.query
      .selectFrom('jobs')
      .select('result_blob')
      .where('id', '=', id)
      .executeTakeFirst()
    await store.close()
    return row?.result_blob ?? expect.unreachable('The result is not a blob.')
  }

  const truncated = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 100)
  const changed = (bytes: Uint8Array) =>
    new Uint8Array(bytes).fill(120, bytes.length - 200, bytes.length - 100)
  const damage = async (name: string, change: (bytes: Uint8Array) => Uint8Array) =>
    stored.raw.write(name, change(await stored.raw.read(name)))

  it.each([
    ['truncated', truncated, 'size'],
    ['changed', changed, 'hash'],
  ] as const)('that was %s returns an error with a code', async (_, change, reason) => {
    const { body } = await scrape(text(700), { maxAge: 0 })
    const id: string = body.data.metadata.scrapeId
    expect((await stored.call('GET', `/v2/scrape/${id}`)).status).toBe(200)
    await damage(await blobOfResult(id), change)
    const response = await stored.call('GET', `/v2/scrape/${id}`)
    expect([response.status, response.body.code, response.body.reason]).toEqual([
      500,
      'STORED_DATA_DAMAGED',
      reason,
    ])
  })

  it('above 8 MB cuts the connection before the end of the response', async () => {
    const { body } = await scrape(text(9000), { maxAge: 0, timeout: 60_000 })
    const id: string = body.data.metadata.scrapeId
    expect((await stored.call('GET', `/v2/scrape/${id}`)).body.data.rawHtml).toBe(body.data.rawHtml)
    await damage(await blobOfResult(id), changed)
    await expect(stored.call('GET', `/v2/scrape/${id}`)).rejects.toThrow('terminated')
  })

  it('does not affect the other documents of a batch, whatever their size', async () => {
    const urls = [text(700), text(700), text(700), text(1), text(9000)]
    const { id } = (
      await stored.call('POST', '/v2/batch/scrape', { body: { urls, formats: ['rawHtml'], maxAge: 0 } })
    ).body
    const status = async () => (await stored.call('GET', `/v2/batch/scrape/${id}`)).body
    await expect.poll(async () => (await status()).status, { timeout: 60_000 }).toBe('completed')
    const before: Json[] = []
    for (let skip = 0; skip < urls.length; skip = before.length)
      before.push(...(await stored.call('GET', `/v2/batch/scrape/${id}?skip=${skip}`)).body.data)
    const idOf = (url: string | undefined): string =>
      before.find(({ metadata }) => metadata.sourceURL === url).metadata.scrapeId
    await damage(await blobOfResult(idOf(urls[0])), truncated)
    await stored.raw.remove(await blobOfResult(idOf(urls[1])))
    await damage(await blobOfResult(idOf(urls[4])), changed)
    const { data, completed } = await status()
    expect(completed).toBe(5)
    for (const [index, document] of data.entries()) {
      const { sourceURL } = before[index].metadata
      if (sourceURL === urls[2] || sourceURL === urls[3]) expect(document).toEqual(before[index])
      else
        expect(document.metadata).toMatchObject({
          ...{ sourceURL, scrapeId: before[index].metadata.scrapeId, code: 'STORED_DATA_DAMAGED' },
          error: expect.stringContaining('damaged'),
        })
    }
    const lines = await (
      await fetch(`${stored.url}/v2/batch/scrape/${id}/download?format=jsonl`, {
        headers: { authorization: `Bearer ${stored.key}` },
      })
    ).text()
    const codes = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).metadata.code)
    expect(codes.filter((code) => code === 'STORED_DATA_DAMAGED')).toHaveLength(3)
    expect(codes).toHaveLength(5)
  })

  it.each([
    ['truncated', truncated],
    ['missing', undefined],
  ])('that is %s is a cache miss and is removed', async (_, change) => {
    const url = text(900)
    const cached = () => scrape(url, { maxAge: 3_600_000 })
    const first = (await cached()).body.data
    const blobs = async () => {
      const { store } = await stored.open()
      const rows = await store.query.selectFrom('pages').select('blob').where('url', '=', url).execute()
      await store.close()
      return rows.flatMap(({ blob }) => blob ?? [])
    }
    await expect.poll(blobs).toHaveLength(1)
    expect((await cached()).body.data.metadata.cacheState).toBe('hit')
    const [name = ''] = await blobs()
    await (change ? damage(name, change) : stored.raw.remove(name))
    const refetched = await cached()
    expect([refetched.status, refetched.body.data.metadata.cacheState]).toEqual([200, 'miss'])
    expect(refetched.body.data.rawHtml).toBe(first.rawHtml)
    await expect.poll(async () => (await blobs()).filter((blob) => blob !== name)).toHaveLength(1)
    expect(await blobs()).not.toContain(name)
    expect((await cached()).body.data.metadata.cacheState).toBe('hit')
  })

  it('of a media file returns an error, not an expired URL', async () => {
    const request = { body: { url: `${site.url}/podcast`, formats: ['audio'] } }
    const { audio } = (await stored.call('POST', '/v2/scrape', request)).body.data
    const { pathname, search } = new URL(audio)
    const { store } = await stored.open()
    const [file] = await store.query.selectFrom('files').select('blob').execute()
    await store.close()
    await stored.raw.remove(file?.blob ?? '')
    const response = await stored.call('GET', pathname + search)
    expect([response.status, response.body.code, response.body.reason]).toEqual([
      ...[500, 'STORED_DATA_DAMAGED', 'missing'],
    ])
  })

  it('of an older version, without a hash in its name, stays valid', async () => {
    const { body } = await scrape(text(700), { maxAge: 0 })
    const id: string = body.data.metadata.scrapeId
    const name = await blobOfResult(id)
    await stored.raw.write('results/older', await stored.raw.read(name))
    const { store } = await stored.open()
    await store.query.updateTable('jobs').set({ result_blob: 'results/older' }).where('id', '=', id).execute()
    await store.close()
    expect((await stored.call('GET', `/v2/scrape/${id}`)).body.data.rawHtml).toBe(body.data.rawHtml)
  })
})

import { once } from 'node:events'
import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let counter: { url: string; calls: string[]; server: Server }
beforeAll(async () => {
  site = await startSite()
  counter = await countingProxy(inject('deployment').urls[0] ?? '')
})
afterAll(async () => {
  counter.server.close()
  await site.stop()
})

/** Starts a proxy that forwards calls and records them, because the tests limit the number of calls of a client. */
async function countingProxy(target: string) {
  const calls: string[] = []
  const server = createServer((incoming, outgoing) => {
    calls.push(`${incoming.method} ${incoming.url}`)
    const { method, headers } = incoming
    const forwarded = send(target + incoming.url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, calls, server }
}

const client = (apiUrl = inject('deployment').urls[0] ?? '') => new Firecrawl({ apiUrl, apiKey: teamKey() })

/** Runs `work` and returns the number of calls during the run. */
async function countCalls<Result>(work: () => Promise<Result>): Promise<{ result: Result; calls: number }> {
  const callsBefore = counter.calls.length
  const result = await work()
  return { result, calls: counter.calls.length - callsBefore }
}

describe('the published JavaScript client', () => {
  it('completes a crawl with every option of the client, and with few calls', async () => {
    const { result, calls } = await countCalls(() =>
      client(counter.url).crawl(`${site.url}/tree`, {
        ...{
          includePaths: ['^/tree'],
          excludePaths: ['/nothing'],
          maxDiscoveryDepth: 3,
          sitemap: 'skip',
          limit: 20,
        },
        ...{ ignoreQueryParameters: true, deduplicateSimilarURLs: true, crawlEntireDomain: false },
        ...{ allowExternalLinks: false, allowSubdomains: false, maxConcurrency: 4, regexOnFullURL: false },
        ...{ robotsUserAgent: 'TestBot', integration: 'test', pollInterval: 1, timeout: 40 },
        scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: false },
      }),
    )
    expect(result).toMatchObject({ status: 'completed', total: 20, completed: 20 })
    expect(result.data).toHaveLength(20)
    expect(calls).toBeLessThan(40)
  })

  it('ends when a crawl fails or finds no pages', async () => {
    const failing = await countCalls(() =>
      client(counter.url).crawl(`${site.url}/reset`, { pollInterval: 1, timeout: 30 }),
    )
    expect(failing.result).toMatchObject({ status: 'failed', data: [] })
    const empty = await countCalls(() =>
      client(counter.url).crawl(`${site.url}/tree`, { excludePaths: ['.*'], pollInterval: 1, timeout: 30 }),
    )
    expect(empty.result).toMatchObject({ status: 'completed', total: 0, data: [] })
    expect(failing.calls + empty.calls).toBeLessThan(30)
  })

  it('starts, reads, lists, cancels a crawl and reads its errors', async () => {
    const { id, url } = await client().startCrawl(`${site.url}/hang?client`)
    expect(url).toContain(id)
    expect((await client().getActiveCrawls()).crawls.map((crawl) => crawl.id)).toContain(id)
    expect((await client().getCrawlStatus(id)).status).toBe('scraping')
    expect(await client().cancelCrawl(id)).toBe(true)
    expect((await client().getCrawlStatus(id)).status).toBe('cancelled')
    expect(await client().getCrawlErrors(id)).toMatchObject({ errors: [], robotsBlocked: [] })
    await expect(client().getCrawlErrors('nonsense')).rejects.toThrow()
  })

  it('previews the options of a crawl', async () => {
    const preview = await client().crawlParamsPreview(`${site.url}/tree`, 'at most 7 pages, two levels deep')
    expect(preview).toMatchObject({ limit: 7, maxDiscoveryDepth: 2 })
  })

  it('maps a site', async () => {
    const { links } = await client().map(`${site.url}/shop`, {
      ...{ search: 'product 12', sitemap: 'skip', limit: 30, includeSubdomains: false, timeout: 30_000 },
    })
    expect(links).toHaveLength(30)
    expect(links[0]).toHaveProperty('url')
  })

  it.each(['crawl', 'batch'] as const)('watches a %s by WebSocket until it is done', async (kind) => {
    const options = { limit: 6, scrapeOptions: { formats: ['markdown' as const] } }
    const urls = Array.from(
      { length: 6 },
      (_, index) => `${site.url}/slow?ms=${index * 100}&client=${Math.random()}`,
    )
    const { id } =
      kind === 'crawl'
        ? await client().startCrawl(`${site.url}/tree`, options)
        : await client().startBatchScrape(urls)
    const watcher = client().watcher(id, { kind, pollInterval: 1, timeout: 30 })
    const documents: Json[] = []
    const errors: Json[] = []
    watcher.on('document', (document: Json) => documents.push(document))
    watcher.on('error', (error: Json) => errors.push(error))
    const done = once(watcher, 'done')
    await watcher.start()
    const [state] = await done
    expect(errors).toEqual([])
    expect(state).toMatchObject({ status: 'completed', completed: 6, total: 6 })
    expect(new Set(documents.map((document) => document.metadata.sourceURL)).size).toBe(6)
  })

  it('watches a crawl that was cancelled', async () => {
    const { id } = await client().startCrawl(`${site.url}/hang?watcher`)
    const watcher = client().watcher(id, { kind: 'crawl', pollInterval: 1, timeout: 30 })
    const done = once(watcher, 'done')
    const started = watcher.start()
    await once(watcher, 'snapshot')
    await client().cancelCrawl(id)
    expect((await done)[0]).toMatchObject({ status: 'cancelled' })
    await started
  })

  it('adds URLs to a batch with a webhook and a separate limit', async () => {
    const urls = [`${site.url}/pages/1`, `${site.url}/pages/2`]
    const { id } = await client().startBatchScrape(urls, {
      ...{
        webhook: { url: `${site.url}/hook`, events: ['completed'] },
        maxConcurrency: 1,
        ignoreInvalidURLs: true,
      },
    })
    const more = await client().startBatchScrape([`${site.url}/pages/3`], { appendToId: id })
    expect(more.id).toBe(id)
    await expect
      .poll(async () => (await client().getBatchScrapeStatus(id)).completed, { timeout: 20_000 })
      .toBe(3)
  })
})

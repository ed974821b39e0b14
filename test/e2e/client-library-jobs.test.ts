import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { type Document, JobFailedError, UnavailableError, Winnow } from '../../client/src/index.ts'
import { teamKey } from '../api.ts'
import { until } from '../servers/until.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: { ...lampRoutes, '/held/:page': ({ signal }) => once(signal, 'abort') },
  })
})
afterAll(() => site.stop())

let callCount = 0
/** Creates a client that sends each call to the next process of the deployment, like a load balancer. */
const client = () => {
  const { urls } = inject('deployment')
  return new Winnow({
    baseUrl: urls[0],
    apiKey: teamKey(),
    fetch: (url, init) => {
      callCount += 1
      return fetch(String(url).replace(urls[0] ?? '', urls[callCount % urls.length] ?? ''), init)
    },
  })
}
const urlsOf = (documents: Document[]) => documents.map(({ metadata }) => metadata.url ?? '')
const pagesOf = (count: number, query = '') =>
  Array.from({ length: count }, (_, index) => `${site.url}/pages/${index + 1}${query}`)
const uncached = { scrapeOptions: { maxAge: 0 }, sitemap: 'skip' as const }

describe.concurrent('a crawl by the client', () => {
  it('returns every page once, as it completes, across several responses', async ({ expect }) => {
    const job = await client().startCrawl(`${site.url}/tree`, { ...uncached, limit: 12 })
    const documents: Document[] = []
    for await (const document of job.pages({ pageSize: 5 })) documents.push(document)
    expect(new Set(urlsOf(documents)).size).toBe(12)
    const progress = await job.progress()
    expect(progress).toMatchObject({ status: 'completed', completed: 12, total: 12, creditsUsed: 12 })
    expect(progress).not.toHaveProperty('data')
    // A reader that knows the id continues where an earlier reader stopped.
    const rest: Document[] = []
    for await (const document of client().crawlJob(job.id).pages({ skip: 9 })) rest.push(document)
    expect(urlsOf(rest)).toEqual(urlsOf(documents).slice(9))
  })

  it('can be awaited, and downloaded as a file', async ({ expect }) => {
    const winnow = client()
    const result = await winnow.crawl(`${site.url}/tree/1`, { ...uncached, limit: 4 })
    expect(result).toMatchObject({ status: 'completed', completed: 4, duration: expect.any(Number) })
    expect(result.data).toHaveLength(4)
    const job = winnow.crawlJob(result.id)
    const lines = (await text(await job.download('jsonl'))).trim().split('\n')
    expect(urlsOf(lines.map((line) => JSON.parse(line)))).toEqual(urlsOf(result.data))
    const bytes = await new Response(await job.download('zip')).bytes()
    expect(String.fromCharCode(...bytes.slice(0, 2))).toBe('PK')
  })

  it('that fails reports the error after its pages', async ({ expect }) => {
    const winnow = client()
    const job = await winnow.startCrawl(`${site.url}/reset`, uncached)
    const reading = (async () => {
      for await (const _ of job) expect.unreachable()
    })()
    await expect(reading).rejects.toMatchObject({
      ...{ name: 'JobFailedError', jobId: job.id, outcome: 'failed' },
      message: expect.stringMatching(/\w/),
    })
    expect(await job.wait()).toMatchObject({ status: 'failed', error: expect.stringMatching(/\w/), data: [] })
    const { errors, summary } = await job.errors()
    expect(errors).toMatchObject([{ url: `${site.url}/reset`, code: expect.any(String) }])
    expect(summary?.failed).toBe(1)
  })

  it('that the caller aborts is cancelled on the service', async ({ expect }) => {
    const winnow = client()
    const controller = new AbortController()
    const url = `${site.url}/held/crawl`
    const crawling = winnow.crawl(url, uncached, { signal: controller.signal })
    const id = await until('the crawl', 20_000, async () => {
      const { data } = await winnow.activity({ endpoint: 'crawl' })
      return data.find(({ target }) => target === url)?.id
    })
    controller.abort(new Error('enough'))
    await expect(crawling).rejects.toThrow('enough')
    await expect.poll(async () => (await winnow.crawlJob(id).progress()).status).toBe('cancelled')
  })
})

describe.concurrent('a batch by the client', () => {
  it('names excluded URLs, and starts one job per idempotency key', async ({ expect }) => {
    const winnow = client()
    const urls = [...pagesOf(3), 'not an address']
    const idempotency = { idempotencyKey: `batch ${site.url}` }
    const [job, same] = [
      await winnow.startBatch(urls, { ignoreInvalidURLs: true }, idempotency),
      await winnow.startBatch(urls, { ignoreInvalidURLs: true }, idempotency),
    ]
    expect(job.started?.invalidURLs).toEqual(['not an address'])
    expect(same.id).toBe(job.id)
    expect(urlsOf((await winnow.batchJob(job.id).wait()).data).sort()).toEqual(pagesOf(3))
  })

  it('retries failed pages as a new job', async ({ expect }) => {
    const job = await client().startBatch([...pagesOf(1), `${site.url}/reset`])
    const result = await job.wait()
    expect(result).toMatchObject({
      status: 'completed',
      completed: 1,
      warning: expect.stringContaining('1 page'),
    })
    const retried = await job.retry()
    expect(retried.started?.count).toBe(1)
    expect((await retried.errors()).errors.length).toBeLessThanOrEqual(1)
    expect(await retried.wait()).toMatchObject({ data: [] })
  })

  it('ends if this client cancels it, and throws if another client cancels it', async ({ expect }) => {
    const winnow = client()
    const urls = [...pagesOf(1, '?cancelled'), `${site.url}/held/1`]
    for (const isOwnCancel of [true, false]) {
      const job = await winnow.startBatch(urls)
      const seen: Document[] = []
      const reading = (async () => {
        for await (const document of job) {
          seen.push(document)
          await (isOwnCancel ? job : winnow.batchJob(job.id)).cancel()
        }
      })()
      if (isOwnCancel) await reading
      else await expect(reading).rejects.toMatchObject({ name: 'JobFailedError', outcome: 'cancelled' })
      expect(urlsOf(seen)).toEqual(urls.slice(0, 1))
      expect(await job.progress()).toMatchObject({ status: 'cancelled' })
      await expect(job.cancel()).rejects.toMatchObject({ name: 'ConflictError', code: 'JOB_ALREADY_ENDED' })
    }
  })
})

describe.concurrent('an extract or agent by the client', () => {
  const schema = { type: 'object', properties: { price: { type: 'string' } } }

  it('returns values, and is readable by the id of its job', async ({ expect }) => {
    const winnow = client()
    const done = await winnow.extract([`${site.url}/lamps/desk`], { schema, showSources: true })
    expect(done).toMatchObject({ status: 'completed', data: { price: expect.any(String) } })
    const job = await winnow.startExtract([`${site.url}/lamps/desk`], { schema })
    expect((await winnow.extractJob(job.id).wait()).data).toEqual(done.data)
  })

  it('throws if the job was cancelled', async ({ expect }) => {
    const winnow = client()
    const job = await winnow.startExtract([`${site.url}/held/values`], { schema })
    const waiting = job.wait().catch((thrown) => thrown)
    await winnow.extractJob(job.id).cancel()
    const error = await waiting
    expect(error).toBeInstanceOf(JobFailedError)
    expect(error).toMatchObject({ outcome: 'cancelled', jobId: job.id })
  })

  it('fails without a retry if no model is configured', async ({ expect }) => {
    const error = await client()
      .agent('Who leads the office?')
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(UnavailableError)
    expect(error).toMatchObject({ status: 503, code: 'MODEL_NOT_CONFIGURED', attempts: 1 })
  })
})

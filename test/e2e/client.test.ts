import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const client = () => {
  const { urls, key } = inject('deployment')
  return new Firecrawl({ apiUrl: urls[0] ?? '', apiKey: key })
}

describe('the published JavaScript client', () => {
  it('scrapes', async () => {
    const document = await client().scrape(`${site.url}/pages/5`, {
      formats: ['markdown', 'links', 'rawHtml'],
    })
    expect(document.markdown).toContain('This is the text of page 5.')
    expect(document.links?.length).toBeGreaterThan(0)
    expect(document.metadata?.statusCode).toBe(200)
  })

  it('raises our errors with their message', async () => {
    const failing = client().scrape('http://no-such-host.invalid/')
    await expect(failing).rejects.toThrow(/does not resolve/)
  })

  it('runs a batch to its end and pages through it', async () => {
    const urls = Array.from({ length: 8 }, (_, index) => `${site.url}/pages/${index + 1}`)
    const job = await client().batchScrape(urls, {
      options: { formats: ['markdown'] },
      pollInterval: 1,
      timeout: 30,
    })
    expect(job).toMatchObject({ status: 'completed', total: 8, completed: 8 })
    expect(job.data).toHaveLength(8)
  })

  it('starts, reads and cancels a batch', async () => {
    const { id } = await client().startBatchScrape([`${site.url}/hang?cancelled`], {
      idempotencyKey: `${Math.random()}`,
    })
    expect((await client().getBatchScrapeStatus(id)).status).toBe('scraping')
    expect(await client().cancelBatchScrape(id)).toBe(true)
    expect((await client().getBatchScrapeStatus(id)).status).toBe('cancelled')
    expect((await client().getBatchScrapeErrors(id)).errors).toEqual([])
  })

  it('reads usage, queue and concurrency', async () => {
    expect(await client().getConcurrency()).toMatchObject({ maxConcurrency: expect.any(Number) })
    expect(await client().getCreditUsage()).toMatchObject({ remainingCredits: 999_999_999 })
    expect(await client().getTokenUsage()).toMatchObject({ remainingTokens: expect.any(Number) })
    expect((await client().getCreditUsageHistorical()).periods.length).toBeGreaterThan(0)
    expect((await client().getTokenUsageHistorical()).periods.length).toBeGreaterThan(0)
    expect(await client().getQueueStatus()).toMatchObject({ jobsInQueue: expect.any(Number) })
  })

  it('is told when its key is wrong', async () => {
    const { urls } = inject('deployment')
    const stranger = new Firecrawl({ apiUrl: urls[0] ?? '', apiKey: 'fc-wrong' })
    await expect(stranger.scrape(`${site.url}/pages/1`)).rejects.toThrow(/Unauthorized/)
  })
})

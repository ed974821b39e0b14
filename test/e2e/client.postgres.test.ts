import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { docx } from '../documents/office.ts'
import { lamps } from '../documents/post.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const client = () => new Firecrawl({ apiUrl: inject('deployment').urls[0] ?? '', apiKey: teamKey() })

describe('the published JavaScript client', () => {
  it('scrapes a page', async () => {
    const document = await client().scrape(`${site.url}/pages/5`, {
      formats: ['markdown', 'links', 'rawHtml'],
    })
    expect(document.markdown).toContain('This is the text of page 5.')
    expect(document.links?.length).toBeGreaterThan(0)
    expect(document.metadata?.statusCode).toBe(200)
  })

  it('parses text, bytes and files', async () => {
    const text = await client().parse({ data: '<h1>Fog</h1><p>Nothing is seen.</p>', filename: 'fog.html' })
    expect(text.markdown).toContain('# Fog')
    expect(text.metadata?.creditsUsed).toBe(1)
    const bytes = await client().parse(
      { data: docx(), filename: 'a.docx' },
      { formats: ['markdown', 'html'] },
    )
    expect(bytes.markdown).toContain('# The lighthouse')
    expect(bytes.html).toContain('<h1>The lighthouse</h1>')
    const blob = new File([Uint8Array.from(lamps)], 'report.pdf', { type: 'application/pdf' })
    const file = await client().parse(
      { data: blob, filename: 'report.pdf' },
      { parsers: [{ type: 'pdf', maxPages: 1 }] },
    )
    expect(file.markdown).toContain('# Report on lamps')
    expect(file.metadata?.numPages).toBe(1)
  })

  it('gets an error with the reason why a file cannot be parsed', async () => {
    const broken = client().parse({ data: Buffer.from('PK\x03\x04 and no more'), filename: 'a.docx' })
    await expect(broken).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED' })
  })

  it('scrapes with every supported format', async () => {
    const document = await client().scrape(`${site.url}/article`, {
      formats: [
        'markdown',
        'html',
        'rawHtml',
        'links',
        'images',
        { type: 'screenshot', fullPage: true, quality: 50, viewport: { width: 800, height: 600 } },
        { type: 'changeTracking', modes: ['git-diff'], tag: 'client' },
        { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
        'branding',
        'product',
        'audio',
      ],
    })
    for (const field of [
      'markdown',
      'html',
      'rawHtml',
      'links',
      'images',
      'screenshot',
      'changeTracking',
      'branding',
    ]) {
      expect(document, field).toHaveProperty(field)
    }
    expect(document.warning).toMatch(/product/)
    expect(document.warning).toMatch(/audio/)
  })

  it('scrapes with every option of the client and the service supports', async () => {
    const document = await client().scrape(`${site.url}/app/actions`, {
      formats: ['markdown'],
      headers: { 'x-mine': 'yes' },
      includeTags: ['#list', 'h1'],
      excludeTags: ['script'],
      onlyMainContent: false,
      timeout: 40_000,
      waitFor: 10,
      mobile: true,
      actions: [
        { type: 'wait', milliseconds: 10 },
        { type: 'click', selector: '#add' },
        { type: 'screenshot' },
        { type: 'scrape' },
        { type: 'executeJavascript', script: '1 + 1' },
        { type: 'pdf', format: 'A4' },
        { type: 'scroll', direction: 'down' },
        { type: 'press', key: 'Tab' },
        { type: 'write', text: 'x' },
      ],
      location: { country: 'DE', languages: ['de-DE'] },
      skipTlsVerification: true,
      removeBase64Images: true,
      blockAds: true,
      proxy: 'basic',
      maxAge: 0,
      storeInCache: false,
      integration: 'test',
    })
    expect(document.markdown).toContain('added')
    expect(document.actions?.screenshots).toHaveLength(1)
    expect(document.actions?.pdfs).toHaveLength(1)
    expect(document.actions?.javascriptReturns).toEqual([{ type: 'number', value: 2 }])
  })

  it('raises errors of the service with their message', async () => {
    const failing = client().scrape('http://no-such-host.invalid/')
    await expect(failing).rejects.toThrow(/does not resolve/)
  })

  it('runs a batch to its end and reads all result pages', async () => {
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

  it('searches every source, with and without scraping', async () => {
    for (const path of ['guide/tides', 'guide/ferries', 'news/storm'])
      await client().scrape(`${site.url}/library/${path}`)
    const options = { sources: ['web', 'images', 'news'] as ('web' | 'images' | 'news')[], limit: 5 }
    const find = () => client().search('harbour tide', options)
    const titles = async () => ((await find()).news ?? []).map((item) => 'title' in item && item.title)
    await expect.poll(titles).toContain('Storm closes the harbour')
    const { web = [], images = [], news = [] } = await find()
    expect(web[0]).toMatchObject({ title: expect.any(String), url: expect.stringContaining(site.url) })
    expect(images[0]).toMatchObject({
      imageUrl: expect.stringContaining('.png'),
      imageWidth: expect.any(Number),
    })
    expect(news).toContainEqual(
      expect.objectContaining({
        title: 'Storm closes the harbour',
        date: expect.stringContaining('2026'),
      }),
    )
    const scraped = await client().search('moorings', {
      ...{ limit: 3, tbs: 'qdr:y9', location: 'Harlingen,Friesland,Netherlands', timeout: 30_000 },
      ...{ ignoreInvalidURLs: true, categories: [], scrapeOptions: { formats: ['markdown', 'links'] } },
    })
    expect(scraped.web).toMatchObject([{ markdown: expect.stringContaining('two moorings'), links: [] }])
  })

  it('reads usage, queue and concurrency', async () => {
    await client().scrape(`${site.url}/pages/1`)
    expect(await client().getConcurrency()).toMatchObject({ maxConcurrency: expect.any(Number) })
    expect(await client().getCreditUsage()).toMatchObject({ remainingCredits: 999_999_999 })
    expect(await client().getTokenUsage()).toMatchObject({ remainingTokens: expect.any(Number) })
    expect((await client().getCreditUsageHistorical()).periods.length).toBeGreaterThan(0)
    expect((await client().getTokenUsageHistorical()).periods.length).toBeGreaterThan(0)
    expect(await client().getQueueStatus()).toMatchObject({ jobsInQueue: expect.any(Number) })
  })

  it('gets an error if its key is invalid', async () => {
    const { urls } = inject('deployment')
    const unauthenticated = new Firecrawl({ apiUrl: urls[0] ?? '', apiKey: 'fc-wrong' })
    await expect(unauthenticated.scrape(`${site.url}/pages/1`)).rejects.toThrow(/Unauthorized/)
  })
})

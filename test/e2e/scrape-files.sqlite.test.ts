import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { docx, epub, farCells, sheetCells, xlsx } from '../documents/office.ts'
import { lamps, picture } from '../documents/post.ts'
import { zip } from '../documents/zip.ts'
import { until } from '../servers/until.ts'
import { type Handler, send } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** A page with the name of a file. It is readable without a browser. */
const viewer = Buffer.from(
  `<main><h1>Viewer</h1>${'<p>The lamps of the coast burn from dusk till dawn, and ships find their way.</p>'.repeat(20)}` +
    '<p id="p"></p></main><script>p.textContent = "The keeper of the light wrote " + "this line by a script."</script>',
)

let site: Site
beforeAll(async () => {
  const image = await picture()
  const file =
    (type: string, bytes: Buffer): Handler =>
    ({ response }) =>
      send(response, { 'content-type': type }, bytes)
  site = await startSite({
    routes: {
      '/papers/report.pdf': file('application/pdf', lamps),
      '/papers/mislabelled': file('text/html', lamps),
      '/papers/light': file('application/octet-stream', docx()),
      '/papers/scan.png': file('image/png', image),
      '/papers/scan': file('image/png', image),
      '/papers/paper': file('application/pdf', lamps),
      '/papers/ships.xlsx': file('application/octet-stream', xlsx(sheetCells)),
      '/papers/lights.epub': file('application/epub+zip', epub()),
      '/papers/viewer.pdf': file('text/html', viewer),
      '/papers/shelf': file('text/html', Buffer.from('<h1>Shelf</h1><a href="/papers/paper">Lamps</a>')),
      '/papers/far.xlsx': file('application/octet-stream', xlsx(farCells)),
      '/papers/archive.zip': file('application/zip', zip({ 'readme.txt': 'x' })),
    },
  })
})
afterAll(() => site.stop())

describe('a URL of a file', () => {
  it('is converted, at one credit per page', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf` })
    expect(body.data.markdown).toContain('# Report on lamps')
    expect(body.data.metadata).toMatchObject({
      numPages: 3,
      totalPages: 3,
      creditsUsed: 3,
      contentType: 'application/pdf',
    })
  })

  it('is the same from the cache as from the site', async () => {
    const url = `${site.url}/papers/light?once`
    const { metadata: before, ...first } = (await scrape({ url })).body.data
    const { metadata: after, ...second } = (await scrape({ url })).body.data
    expect(second).toEqual(first)
    const { scrapeId: _, ...same } = before
    expect(before).toMatchObject({ cacheState: 'miss', title: 'Keepers', author: 'A. Keeper' })
    expect(after).toMatchObject({ ...same, cacheState: 'hit' })
  })

  it('is converted from the cache by the parsers of each call', async () => {
    const url = `${site.url}/papers/report.pdf?parsers`
    const raw = await scrape({ url, formats: ['rawBase64'] })
    expect(raw.body.data.metadata).toMatchObject({ cacheState: 'miss', creditsUsed: 1 })
    const full = await scrape({ url })
    expect(full.body.data.metadata).toMatchObject({
      cacheState: 'hit',
      numPages: 3,
      title: 'Report on lamps',
    })
    const first = await scrape({ url, parsers: [{ type: 'pdf', maxPages: 1 }] })
    expect(first.body.data.metadata).toMatchObject({ cacheState: 'hit', numPages: 1, creditsUsed: 1 })
  })

  it('applies the options of parsers', async () => {
    const parsers = [{ type: 'pdf', maxPages: 1, pages: true }]
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, parsers })
    expect(body.data.pages).toHaveLength(1)
    expect(body.data.metadata).toMatchObject({ numPages: 1, totalPages: 3, creditsUsed: 1 })
    expect(body.data).not.toHaveProperty('warning')
  })

  it('is returned unchanged if parsers is empty', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, parsers: [] })
    expect(Buffer.from(body.data.markdown, 'base64').equals(lamps)).toBe(true)
    expect(body.data.metadata.creditsUsed).toBe(1)
  })

  it('is identified by its bytes, regardless of its name and type', async () => {
    const pdf = await scrape({ url: `${site.url}/papers/mislabelled` })
    expect(pdf.body.data.markdown).toContain('# Report on lamps')
    const word = await scrape({ url: `${site.url}/papers/light` })
    expect(word.body.data.markdown).toContain('# The lighthouse')
  })

  it('can be a table, or an image of text', async () => {
    const table = await scrape({ url: `${site.url}/files/harbours.csv` })
    expect(table.body.data.markdown).toContain('| Nes, Ameland | 35 |')
    const image = await scrape({ url: `${site.url}/papers/scan.png` })
    expect(image.body.data.markdown).toMatch(/burned until dawn/)
  })

  it('needs no browser for browser options', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, waitFor: 10, maxAge: 0 })
    expect(body.data.markdown).toContain('# Report on lamps')
  })

  it.each([
    ['/papers/report.pdf', '# Report on lamps'],
    ['/papers/paper', '# Report on lamps'],
    ['/papers/mislabelled', '# Report on lamps'],
    ['/papers/light', '# The lighthouse'],
    ['/papers/ships.xlsx', '| Aurora | 310 |'],
    ['/papers/lights.epub', '# First light'],
    ['/files/harbours.csv', '| Nes, Ameland | 35 |'],
  ])('keeps its text if screenshot and branding are requested: %s', async (path, text) => {
    const formats = ['markdown', 'screenshot', 'branding']
    const { status, body } = await scrape({ url: site.url + path, formats, maxAge: 0 })
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
    expect(body.data.markdown).toContain(text)
    expect(body.data).not.toHaveProperty('branding')
    expect(body.data.warning).toMatch(/branding: the URL is a file/)
    expect(body.data.screenshot ?? body.data.warning).toMatch(/^http|screenshot: the URL is a file/)
  })

  it('can be an image, with a screenshot and its text', async () => {
    const formats = ['markdown', 'screenshot']
    const { body } = await scrape({ url: `${site.url}/papers/scan`, formats, maxAge: 0 })
    expect(body.data.markdown).toMatch(/burned until dawn/)
    expect(body.data.screenshot).toMatch(/^http/)
  })

  it.each(['/papers/report.pdf', '/papers/light', '/papers/scan', '/files/harbours.csv'])(
    'rejects actions, which require a page: %s',
    async (path) => {
      const actions = [{ type: 'wait', milliseconds: 1 }]
      const { status, body } = await scrape({ url: site.url + path, actions })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'SCRAPE_ACTIONS_NOT_SUPPORTED', phase: 'navigate' })
      expect(body.error).toContain('file')
    },
  )

  it('is opened in a browser if only its name is that of a file', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/viewer.pdf`, mobile: true, maxAge: 0 })
    expect(body.data.markdown).toContain('wrote this line')
  })

  it('is rejected with a specific code', async () => {
    const far = await scrape({ url: `${site.url}/papers/far.xlsx` })
    expect(far.body).toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED', phase: 'convert' })
    const archive = await scrape({ url: `${site.url}/papers/archive.zip` })
    expect(archive.body).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  })

  it('is converted in a batch', async () => {
    const urls = [`${site.url}/papers/report.pdf`, `${site.url}/papers/light`]
    const formats = ['markdown', 'screenshot']
    const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0, formats } })
    const documents: Json[] = await until('the batch', 30_000, async () => {
      const status = (await call('GET', `/v2/batch/scrape/${body.id}`)).body
      return status.status === 'completed' ? status.data : undefined
    })
    const texts = documents.map((document: Json) => document.markdown).join('\n')
    expect(texts).toContain('# Report on lamps')
    expect(texts).toContain('# The lighthouse')
  })

  it('is converted in a crawl with screenshots', async () => {
    const scrapeOptions = { formats: ['markdown', 'screenshot'], maxAge: 0 }
    const crawl = { url: `${site.url}/papers/shelf`, limit: 2, scrapeOptions, sitemap: 'skip' }
    const { body } = await call('POST', '/v2/crawl', { body: { ...crawl, crawlEntireDomain: true } })
    const documents: Json[] = await until('the crawl', 60_000, async () => {
      const status = (await call('GET', `/v2/crawl/${body.id}`)).body
      return status.status === 'completed' ? status.data : undefined
    })
    const paper = documents.find((document: Json) => document.metadata.url.endsWith('/papers/paper'))
    expect(paper?.markdown).toContain('# Report on lamps')
    expect(paper?.warning).toMatch(/screenshot: the URL is a file/)
  })
})

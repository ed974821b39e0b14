import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { docx, farCells, xlsx } from '../documents/office.ts'
import { lamps, picture } from '../documents/post.ts'
import { zip } from '../documents/zip.ts'
import { until } from '../servers/until.ts'
import { type Answer, send } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  const image = await picture()
  const file =
    (type: string, bytes: Buffer): Answer =>
    ({ response }) =>
      send(response, { 'content-type': type }, bytes)
  site = await startSite({
    routes: {
      '/papers/report.pdf': file('application/pdf', lamps),
      '/papers/mislabelled': file('text/html', lamps),
      '/papers/light': file('application/octet-stream', docx()),
      '/papers/scan.png': file('image/png', image),
      '/papers/far.xlsx': file('application/octet-stream', xlsx(farCells)),
      '/papers/archive.zip': file('application/zip', zip({ 'readme.txt': 'x' })),
    },
  })
})
afterAll(() => site.stop())

describe('a URL that holds a file', () => {
  it('is converted, and paid by page', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf` })
    expect(body.data.markdown).toContain('# Report on lamps')
    expect(body.data.metadata).toMatchObject({
      numPages: 3,
      totalPages: 3,
      creditsUsed: 3,
      contentType: 'application/pdf',
    })
  })

  it('comes from the cache as it came from the site', async () => {
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
    const whole = await scrape({ url })
    expect(whole.body.data.metadata).toMatchObject({
      cacheState: 'hit',
      numPages: 3,
      title: 'Report on lamps',
    })
    const first = await scrape({ url, parsers: [{ type: 'pdf', maxPages: 1 }] })
    expect(first.body.data.metadata).toMatchObject({ cacheState: 'hit', numPages: 1, creditsUsed: 1 })
  })

  it('obeys parsers', async () => {
    const parsers = [{ type: 'pdf', maxPages: 1, pages: true }]
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, parsers })
    expect(body.data.pages).toHaveLength(1)
    expect(body.data.metadata).toMatchObject({ numPages: 1, totalPages: 3, creditsUsed: 1 })
    expect(body.data).not.toHaveProperty('warning')
  })

  it('comes back as it is, where nothing is to be parsed', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, parsers: [] })
    expect(Buffer.from(body.data.markdown, 'base64').equals(lamps)).toBe(true)
    expect(body.data.metadata.creditsUsed).toBe(1)
  })

  it('is known by its bytes, whatever it is called', async () => {
    const pdf = await scrape({ url: `${site.url}/papers/mislabelled` })
    expect(pdf.body.data.markdown).toContain('# Report on lamps')
    const word = await scrape({ url: `${site.url}/papers/light` })
    expect(word.body.data.markdown).toContain('# The lighthouse')
  })

  it('may be a table, or a picture of text', async () => {
    const table = await scrape({ url: `${site.url}/files/harbours.csv` })
    expect(table.body.data.markdown).toContain('| Nes, Ameland | 35 |')
    const image = await scrape({ url: `${site.url}/papers/scan.png` })
    expect(image.body.data.markdown).toMatch(/burned until dawn/)
  })

  it('needs no browser for options that ask for one', async () => {
    const { body } = await scrape({ url: `${site.url}/papers/report.pdf`, waitFor: 10, maxAge: 0 })
    expect(body.data.markdown).toContain('# Report on lamps')
  })

  it('is refused by the code of its fault', async () => {
    const far = await scrape({ url: `${site.url}/papers/far.xlsx` })
    expect(far.body).toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED', phase: 'convert' })
    const archive = await scrape({ url: `${site.url}/papers/archive.zip` })
    expect(archive.body).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  })

  it('is converted in a batch as well', async () => {
    const urls = [`${site.url}/papers/report.pdf`, `${site.url}/papers/light`]
    const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0 } })
    const documents: Json[] = await until('the batch', 30_000, async () => {
      const status = (await call('GET', `/v2/batch/scrape/${body.id}`)).body
      return status.status === 'completed' ? status.data : undefined
    })
    const texts = documents.map((document: Json) => document.markdown).join('\n')
    expect(texts).toContain('# Report on lamps')
    expect(texts).toContain('# The lighthouse')
  })
})

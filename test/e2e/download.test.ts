import { setTimeout as sleep } from 'node:timers/promises'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { call, createTeam, type Json, teamKey } from '../api.ts'
import { unzip } from '../documents/unzip.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const formula = '=HYPERLINK("https://evil.example","x")'
let site: Site
let id = ''

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/harbour': (exchange) => {
        const links = ['a', 'b', 'A', 'long', '%2e%2e%2fup', '%1b%00name'].map(
          (name) => `<a href="/harbour/${name}">${encodeURIComponent(name)}</a>`,
        )
        sendHtml(exchange, page('Harbour', `<p>Boats: ${links.join(' ')}</p>`))
      },
      '/harbour/:name': (exchange) => {
        const { name } = exchange.params
        const text =
          name === 'long' ? `<p>${'A long line, with "quotes". '.repeat(2000)}</p>` : '<p>A boat.</p>'
        sendHtml(exchange, page(name === 'b' ? formula : `Boat ${name}`, text))
      },
    },
  })
  const body = { url: `${site.url}/harbour`, sitemap: 'skip', scrapeOptions: { fastMode: true } }
  id = (await call('POST', '/v2/crawl', { body: { ...body, deduplicateSimilarURLs: false } })).body.id
  await waitForEnd(`/v2/crawl/${id}`)
})
afterAll(() => site.stop())

/** Polls at intervals, because background pages yield to calls. */
const waitForEnd = (path: string) =>
  until(`the end of ${path}`, 50_000, async () => {
    await sleep(250)
    return (await call('GET', `${path}?limit=1`)).body.status === 'completed' ? true : undefined
  })

async function download(path: string): Promise<{ headers: Headers; status: number; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${teamKey()}` }
  const response = await fetch(`${inject('deployment').urls[0]}${path}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { headers: response.headers, status: response.status, bytes }
}

const listDocuments = async (): Promise<Json[]> => (await call('GET', `/v2/crawl/${id}`)).body.data

describe('a download', () => {
  it('as jsonl has the documents unchanged, one per line', async ({ expect }) => {
    const { headers, bytes } = await download(`/v2/crawl/${id}/download`)
    expect(headers.get('content-type')).toContain('application/jsonl')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="crawl-${id}.jsonl"`)
    const lines = bytes.toString().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(await listDocuments())
    expect(lines).toHaveLength(7)
  })

  it('as csv has a row per page, and no cell with a formula', async ({ expect }) => {
    const { headers, bytes } = await download(`/v2/crawl/${id}/download?format=csv`)
    expect(headers.get('content-type')).toContain('text/csv')
    const { data, errors } = Papa.parse<Record<string, string>>(bytes.toString().trimEnd(), { header: true })
    expect(errors).toEqual([])
    const stored = await listDocuments()
    expect(data.map(({ url }) => url)).toEqual(stored.map(({ metadata }) => metadata.url))
    expect(data.map(({ markdown }) => markdown)).toEqual(stored.map(({ markdown }) => markdown))
    expect(data.find(({ url }) => url?.endsWith('/b'))?.title).toBe(`'${formula}`)
    for (const row of data) {
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }
  })

  it('as zip has a Markdown file per page, with its metadata, under a safe name', async ({ expect }) => {
    const { headers, bytes } = await download(`/v2/crawl/${id}/download?format=zip`)
    expect(headers.get('content-type')).toBe('application/zip')
    const files = unzip(bytes)
    const host = new URL(site.url).host.replace(':', '-')
    expect([...files.keys()].map((name) => name.replace(`${host}/`, '').toLowerCase()).sort()).toEqual([
      'harbour.md',
      'harbour/a-2.md',
      'harbour/a.md',
      'harbour/b.md',
      'harbour/long.md',
      'harbour/name.md',
      'harbour/up.md',
    ])
    const long = files.get(`${host}/harbour/long.md`) ?? ''
    const stored = (await listDocuments()).find(({ metadata }) => metadata.url.endsWith('/long'))
    expect(long).toContain(`---\nurl: "${site.url}/harbour/long"\n`)
    expect(long.endsWith(`---\n\n${stored.markdown}`)).toBe(true)
    expect(files.get(`${host}/harbour/b.md`)).toContain(`title: ${JSON.stringify(formula)}\n`)
  })

  it('of a batch without Markdown lists its URLs in the zip', async ({ expect }) => {
    const body = { urls: [`${site.url}/harbour`], formats: ['links'] }
    const batch = (await call('POST', '/v2/batch/scrape', { body })).body.id
    await waitForEnd(`/v2/batch/scrape/${batch}`)
    const { bytes } = await download(`/v2/batch/scrape/${batch}/download?format=zip`)
    const files = unzip(bytes)
    expect([...files.keys()]).toEqual(['_without-markdown.txt'])
    expect(files.get('_without-markdown.txt')).toContain(`${site.url}/harbour`)
  })

  it('is available only to its team, by the kind of its job, and in supported formats', async ({
    expect,
  }) => {
    const { key: other } = await createTeam()
    const get = (path: string, key = teamKey()) => call('GET', path, { key })
    const foreign = await get(`/v2/crawl/${id}/download`, other)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
    expect((await get(`/v2/batch/scrape/${id}/download`)).status).toBe(404)
    expect((await get(`/v2/crawl/${id}/download?format=exe`)).status).toBe(400)
  })
})

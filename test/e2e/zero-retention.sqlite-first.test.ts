import { execFile } from 'node:child_process'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand, temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const temporary = temporaryFolder()
let site: Site
let own: OwnService
let folders: string[]
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/told': (exchange) => {
        const name = exchange.url.searchParams.get('name')
        sendHtml(exchange, page('Told', `<p>This is what ${name}said.</p><input>`))
      },
    },
  })
  own = await startOwnService({ TMPDIR: temporary.path, LOG_LEVEL: 'debug' })
  await runCommand(['key', 'set', '--team', 'default', '--zero-retention', 'on'], own.environment)
  folders = [own.environment.DATA_DIR ?? '', temporary.path, ...(await serverFolders())]
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  temporary.remove()
})

const scrape = (path: string, options: object) =>
  own.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, ...options } })

/** Returns the data folder of the database server, which includes its log. */
async function serverFolders(): Promise<string[]> {
  if (!own.environment.DATABASE_URL) return []
  const client = new Client({ connectionString: own.environment.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query('show data_directory')
  await client.end()
  return [rows[0].data_directory]
}

/**
 * Returns the words that are stored anywhere: in rows, database logs, free pages, blobs, temporary files or log lines.
 */
async function findStored(words: string[]): Promise<string[]> {
  // The log is written every half second.
  await new Promise((resolve) => setTimeout(resolve, 600))
  const isStored = await Promise.all(
    words.map(async (each) => own.output().includes(each) || isInFiles(each)),
  )
  return words.filter((_, index) => isStored[index])
}

function isInFiles(text: string): Promise<boolean> {
  const search = ['-r', '-l', '-a', '-s', '-F', '-D', 'skip', '-e', text, ...folders]
  return new Promise((resolve) => execFile('grep', search, (_, stdout) => resolve(stdout !== '')))
}

/** Creates a request with as much data as possible, and the words that identify its data. */
function createRequest(name: string) {
  const words = ['said', 'query', 'script', 'typed', 'header'].map((part) => `${name}${part}`)
  const [, query, script, typed, header] = words
  const options = {
    formats: ['markdown', 'screenshot', 'rawHtml'],
    headers: { 'x-told': header },
    actions: [
      { type: 'executeJavascript', script: `"${script}"` },
      { type: 'click', selector: 'input' },
      { type: 'write', text: typed },
    ],
  }
  return { words, path: `/told?name=${name}&${query}`, options }
}

describe('zero data retention', () => {
  it('stores nothing of a search', async () => {
    await scrape('/told?name=searched', {})
    const search = (query: string, options: object) =>
      own.call('POST', '/v2/search', { body: { query, ...options } })
    // Pages are indexed asynchronously after the scrape.
    await expect.poll(async () => (await search('told keptquestion', {})).body.data.web.length).toBe(1)
    const scrapeOptions = { formats: ['markdown'] }
    const { body } = await search('told zdrquestion', { enterprise: ['zdr'], scrapeOptions })
    expect(body.data.web[0].markdown).toContain('searchedsaid')
    expect(await findStored(['keptquestion', 'zdrquestion'])).toEqual(['keptquestion'])
  })

  it('is tested by a search that finds stored data', async () => {
    const { words, path, options } = createRequest('kept')
    expect((await scrape(path, options)).status).toBe(200)
    // Values of headers are never stored.
    expect(await findStored(words)).toEqual(words.slice(0, -1))
  })

  it('stores nothing of a call, and returns files in the response itself', async () => {
    const { words, path, options } = createRequest('erased')
    const { body } = await scrape(path, { ...options, zeroDataRetention: true })
    expect(body.data.markdown).toContain('erasedsaid')
    expect(body.data.screenshot).toMatch(/^data:image\/png;base64,/)
    const form = new FormData()
    form.append('file', new Blob(['<p>An erasedupload.</p>']), 'erasedname.html')
    form.append('options', JSON.stringify({ zeroDataRetention: true }))
    const headers = { authorization: `Bearer ${own.key}` }
    const parsed = await fetch(`${own.url}/v2/parse`, { method: 'POST', headers, body: form })
    expect(((await parsed.json()) as Json).data.markdown).toContain('erasedupload')
    const failed = await scrape('/reset?erasedfailure', { zeroDataRetention: true })
    expect(failed.body.code).toBe('SCRAPE_SITE_ERROR')
    expect(await findStored([...words, 'erasedupload', 'erasedname', 'erasedfailure'])).toEqual([])
    expect((await own.call('GET', `/v2/scrape/${body.data.metadata.scrapeId}`)).status).toBe(404)
    // Cached pages are compressed, so the test queries the cache instead of searching for words.
    const cached = await scrape(path, { maxAge: undefined, lockdown: true })
    expect(cached.body.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
  })

  it('stores nothing of a call of the first version', async () => {
    const { words, path, options } = createRequest('older')
    const scrapeV1 = (target: string, moreOptions: object) =>
      own.call('POST', '/v1/scrape', {
        body: { url: site.url + target, zeroDataRetention: true, ...moreOptions },
      })
    const { body } = await scrapeV1(path, options)
    expect(body.data.markdown).toContain('oldersaid')
    expect(body.data.screenshot).toMatch(/^data:image\/png;base64,/)
    expect((await scrapeV1('/reset?olderfailure', {})).body.code).toBe('SCRAPE_SITE_ERROR')
    expect((await scrapeV1('/told?olderrefused', { jsonOptions: { prompt: 'olderprompt' } })).status).toBe(
      400,
    )
    expect(await findStored([...words, 'olderfailure', 'olderrefused', 'olderprompt'])).toEqual([])
    const { scrapeId } = body.data.metadata
    for (const version of ['v1', 'v2'])
      expect((await own.call('GET', `/${version}/scrape/${scrapeId}`)).status).toBe(404)
    const cached = await scrape(path, { maxAge: undefined, lockdown: true })
    expect(cached.body.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
  })

  it('is rejected by calls that store results, in both versions', async () => {
    const url = `${site.url}/told?name=zqlatent`
    const calls: [string, object][] = [
      ['batch/scrape', { urls: [url] }],
      ['crawl', { url }],
      ['map', { url }],
      ['search', { query: 'zqlatentquery' }],
      ['extract', { urls: [url], prompt: 'zqlatentprompt' }],
    ]
    for (const [path, request] of calls) {
      const body = { ...request, zeroDataRetention: true }
      const [first, second] = [
        await own.call('POST', `/v1/${path}`, { body }),
        await own.call('POST', `/v2/${path}`, { body }),
      ]
      expect([path, first.status, first.body.code]).toEqual([path, second.status, second.body.code])
      expect(first.status).toBeGreaterThanOrEqual(400)
    }
    expect(await findStored(['zqlatent'])).toEqual([])
  })

  it('stores nothing of a call under lockdown', async () => {
    const { words, path, options } = createRequest('locked')
    const { body } = await scrape(path, { ...options, maxAge: undefined, lockdown: true })
    expect(body.code).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    expect(await findStored(words)).toEqual([])
  })

  it('stores nothing of a call that a kill interrupts', async () => {
    const interrupted = scrape('/hang?cutoff', {
      zeroDataRetention: true,
      headers: { 'x-told': 'cutheader' },
    })
    const settled = interrupted.catch(() => undefined)
    await expect.poll(() => site.hits('/hang'), { timeout: 20_000 }).toBeGreaterThan(0)
    await own.kill()
    await settled
    expect(await findStored(['cutoff', 'cutheader'])).toEqual([])
    own = await own.again()
    expect(await findStored(['cutoff', 'cutheader'])).toEqual([])
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { type McpClient, withTools } from '../mcp.ts'
import { until } from '../servers/until.ts'
import { temporaryFolder } from '../service.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

const program = fileURLToPath(new URL('../../node_modules/firecrawl-mcp/dist/index.js', import.meta.url))

let site: Site
let mcp: McpClient
const folder = temporaryFolder()
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  const client = new Client({ name: 'test', version: '1' })
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    FIRECRAWL_API_URL: inject('deployment').urls[0] ?? '',
    FIRECRAWL_API_KEY: teamKey(),
  }
  const transport = { command: process.execPath, args: [program], env, stderr: 'ignore' as const }
  await client.connect(new StdioClientTransport(transport))
  mcp = withTools(client)
})
afterAll(async () => {
  await mcp.close()
  await site.stop()
  folder.remove()
})

/** What a tool answered, which is JSON. */
async function use(name: string, input: object): Promise<Json> {
  const { text, isError } = await mcp.use(`firecrawl_${name}`, input)
  expect(isError, `${name}: ${text.slice(0, 500)}`).toBe(false)
  return JSON.parse(text)
}

async function refusal(name: string, input: object): Promise<string> {
  const { text, isError } = await mcp.use(`firecrawl_${name}`, input)
  expect(isError, text.slice(0, 500)).toBe(true)
  return text
}

describe('the published tools for language models', () => {
  it('scrape a page in its formats', async () => {
    const url = `${site.url}/pages/6`
    const read = await use('scrape', { url, formats: ['markdown', 'links'], onlyMainContent: true })
    expect(read).toMatchObject({
      markdown: expect.stringContaining('# Page 6'),
      links: [`${site.url}/pages/7`],
    })
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const values = await use('scrape', {
      url,
      formats: ['json'],
      jsonOptions: { prompt: 'The title', schema },
    })
    expect(values.json).toEqual({ title: 'Page 6' })
    const prompt = 'In which year was the lamp shown for the first time?'
    const asked = { url: `${site.url}/lamps/desk`, formats: ['query'], queryOptions: { prompt } }
    expect((await use('scrape', asked)).answer).toContain('1972')
  })

  it('map, crawl and read how a crawl stands', async () => {
    const url = `${site.url}/links/5`
    const mapped = await use('map', { url, search: 'links', limit: 10, sitemap: 'skip' })
    expect(mapped.links.length).toBeGreaterThan(0)
    const crawled = await use('crawl', { url, limit: 3, crawlEntireDomain: true })
    expect(crawled).toMatchObject({ status: 'completed', completed: 3 })
    expect(await use('check_crawl_status', { id: crawled.id })).toMatchObject({
      status: 'completed',
      total: 3,
    })
  })

  it('search with what they ask for by themselves, and send feedback', async () => {
    const { metadata } = await use('scrape', { url: `${site.url}/pages/41`, formats: ['markdown'] })
    await expect
      .poll(async () => (await use('search', { query: '"Page 41"', limit: 3 })).data.web[0]?.url)
      .toBe(`${site.url}/pages/41`)
    const found = await use('search', { query: '"Page 41"', limit: 3 })
    expect(found.warning).toContain('alexandria')
    const valuableSources = [{ url: `${site.url}/pages/41`, reason: 'It is the page.' }]
    const thanked = await use('search_feedback', { searchId: found.id, rating: 'good', valuableSources })
    expect(thanked).toMatchObject({ success: true })
    const feedback = { endpoint: 'scrape', jobId: metadata.scrapeId, rating: 'good' }
    expect(await use('feedback', feedback)).toMatchObject({ success: true })
  })

  it('work on a page, by its scrape and by its address', async () => {
    const { metadata } = await use('scrape', { url: `${site.url}/pages/5`, formats: ['markdown'] })
    const code = 'await page.title()'
    const ran = await use('interact', { scrapeId: metadata.scrapeId, code, language: 'node' })
    expect(ran).toMatchObject({ success: true, result: 'Page 5' })
    expect(await use('interact_stop', { scrapeId: metadata.scrapeId })).toMatchObject({ success: true })
    const direct = await use('interact', { url: `${site.url}/pages/8`, code, language: 'node' })
    expect(direct).toMatchObject({ success: true, result: 'Page 8' })
  })

  it('parse a file of the machine', async () => {
    const filePath = join(folder.path, 'fog.html')
    writeFileSync(filePath, '<h1>Fog</h1>')
    expect((await use('parse', { filePath })).data.markdown).toBe('# Fog')
  })

  it('tell the credits and search for developers', async () => {
    expect(await use('credit_usage', {})).toMatchObject({ remainingCredits: expect.any(Number) })
    // A team without a page in the index has nothing to search in.
    await use('scrape', { url: `${site.url}/pages/9` })
    const answered = await until('an answer', 20_000, async () => {
      const answer = await mcp.use('firecrawl_developer_search', { query: 'zz-no-such-thing' })
      return answer.isError ? undefined : answer
    })
    expect(answered.text).toEqual(expect.any(String))
  })

  it('are told by name what this installation has not', async () => {
    expect(await refusal('monitor_list', {})).toContain('Not available on this installation: monitor')
    expect(await refusal('agent', { prompt: 'the title', urls: [site.url] })).toContain('MODEL_URL')
    expect(await refusal('scrape', { url: 'http://10.0.0.1/', formats: ['markdown'] })).toContain(
      'ALLOW_PRIVATE_NETWORK',
    )
  })
})

import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import type { McpClient } from '../mcp.ts'
import { startPublishedTools } from '../published.ts'
import { temporaryFolder } from '../service.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let mcp: McpClient
const folder = temporaryFolder()
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  const url = inject('deployment').urls[0] ?? ''
  mcp = await startPublishedTools({ url, key: teamKey(), home: folder.path })
})
afterAll(async () => {
  await mcp.close()
  await site.stop()
  folder.remove()
})

const named = new Set<string>()
const used = new Set<string>()

/** A test of these tools: it fails if it leaves one of them out. */
function shows(title: string, tools: string[], test: () => Promise<void>): void {
  for (const tool of tools) named.add(tool)
  it(title, async () => {
    used.clear()
    await test()
    expect([...used].sort()).toEqual([...tools].sort())
  })
}

function call(name: string, input: object) {
  used.add(name)
  return mcp.use(`firecrawl_${name}`, input)
}

/** What a tool answered, which is JSON. */
async function use(name: string, input: object): Promise<Json> {
  const { text, isError } = await call(name, input)
  expect(isError, `${name}: ${text.slice(0, 500)}`).toBe(false)
  return JSON.parse(text)
}

async function refusal(name: string, input: object): Promise<string> {
  const { text, isError } = await call(name, input)
  expect(isError, `${name}: ${text.slice(0, 500)}`).toBe(true)
  return text
}

it('every published tool has a test', async () => {
  const { tools } = await mcp.client.listTools()
  const all = tools.map(({ name }) => name.replace(/^firecrawl_/, ''))
  expect([...named].sort()).toEqual(all.sort())
})

describe('the published tools for language models', () => {
  shows('scrape a page in its formats', ['scrape'], async () => {
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

  shows('map, crawl and read how a crawl stands', ['map', 'crawl', 'check_crawl_status'], async () => {
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

  const asking = ['scrape', 'search', 'search_feedback', 'feedback']
  shows('search with what they ask for by themselves, and send feedback', asking, async () => {
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

  const working = ['scrape', 'interact', 'interact_stop']
  shows('work on a page, by its scrape and by its address', working, async () => {
    const { metadata } = await use('scrape', { url: `${site.url}/pages/5`, formats: ['markdown'] })
    const code = 'await page.title()'
    const ran = await use('interact', { scrapeId: metadata.scrapeId, code, language: 'node' })
    expect(ran).toMatchObject({ success: true, result: 'Page 5' })
    expect(await use('interact_stop', { scrapeId: metadata.scrapeId })).toMatchObject({ success: true })
    const direct = await use('interact', { url: `${site.url}/pages/8`, code, language: 'node' })
    expect(direct).toMatchObject({ success: true, result: 'Page 8' })
  })

  shows('parse a file of the machine', ['parse'], async () => {
    const filePath = join(folder.path, 'fog.html')
    writeFileSync(filePath, '<h1>Fog</h1>')
    expect((await use('parse', { filePath })).data.markdown).toBe('# Fog')
  })

  shows('tell the credits, now and by month', ['scrape', 'credit_usage'], async () => {
    expect(await use('credit_usage', {})).toMatchObject({ remainingCredits: expect.any(Number) })
    await use('scrape', { url: `${site.url}/pages/10` })
    const { periods } = await use('credit_usage', { view: 'historical', byApiKey: true })
    expect(periods.length).toBeGreaterThan(0)
  })

  shows('search for developers', ['developer_search'], async () => {
    const answered = await call('developer_search', { query: 'zz-no-such-thing' })
    expect(answered.isError).toBe(false)
    expect(answered.text).toBe('(no results)')
  })

  shows(
    'get an error where something is not allowed or not there',
    ['scrape', 'agent', 'agent_status'],
    async () => {
      expect(await refusal('scrape', { url: 'http://10.0.0.1/', formats: ['markdown'] })).toContain(
        'ALLOW_PRIVATE_NETWORK',
      )
      expect(await refusal('agent', { prompt: 'the title', urls: [site.url] })).toContain('MODEL_URL')
      // Of errors of this call, and of research below, the tool passes on the status alone.
      expect(await refusal('agent_status', { id: randomUUID() })).toContain('status code 404')
    },
  )

  const monitor = 'Not available on this installation: monitor'
  const [id, checkId] = [randomUUID(), randomUUID()]
  const paperId = 'arxiv:1706.03762'
  const refused: [tool: string, input: object, told: string][] = [
    ['monitor_list', {}, monitor],
    ['monitor_create', { page: 'https://a.example/', goal: 'News', name: 'a' }, monitor],
    ['monitor_get', { id }, monitor],
    ['monitor_update', { id, body: { name: 'b' } }, monitor],
    ['monitor_delete', { id }, monitor],
    ['monitor_run', { id }, monitor],
    ['monitor_checks', { id }, monitor],
    ['monitor_check', { id, checkId }, monitor],
    ['find_tools', {}, 'Not available on this installation: catalogue of data providers'],
    ['find_tools', { query: 'weather' }, 'Not available on this installation: alexandria'],
    // Nobody outside is asked here. research.test.ts shows them where there are providers.
    ['research_search_papers', { query: 'tide' }, 'status code 501'],
    ['research_inspect_paper', { paperId }, 'status code 501'],
    ['research_related_papers', { seed_ids: [paperId], intent: 'tide' }, 'status code 501'],
    ['research_read_paper', { paperId, question: 'What is attention?' }, 'status code 501'],
    // These end before they call anybody.
    ['research_search_github', { query: 'tide' }, 'is deprecated'],
    ['extract', { urls: ['https://a.example/'], prompt: 'The title' }, 'is deprecated'],
  ]
  for (const [tool, input, told] of refused)
    shows(
      `say what is not to be had: ${tool} with ${Object.keys(input).join(', ') || 'nothing'}`,
      [tool],
      async () => {
        expect(await refusal(tool, input)).toContain(told)
      },
    )
})

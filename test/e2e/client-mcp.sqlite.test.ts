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

const testedTools = new Set<string>()
const usedTools = new Set<string>()

/** Defines a test of these tools. The test fails if it does not use all of them. */
function testTools(title: string, tools: string[], test: () => Promise<void>): void {
  for (const tool of tools) testedTools.add(tool)
  it(title, async () => {
    usedTools.clear()
    await test()
    expect([...usedTools].sort()).toEqual([...tools].sort())
  })
}

function call(name: string, input: object) {
  usedTools.add(name)
  return mcp.callTool(`firecrawl_${name}`, input)
}

/** Calls a tool and returns its JSON result. */
async function useTool(name: string, input: object): Promise<Json> {
  const { text, isError } = await call(name, input)
  expect(isError, `${name}: ${text.slice(0, 500)}`).toBe(false)
  return JSON.parse(text)
}

async function expectError(name: string, input: object): Promise<string> {
  const { text, isError } = await call(name, input)
  expect(isError, `${name}: ${text.slice(0, 500)}`).toBe(true)
  return text
}

it('every published tool has a test', async () => {
  const { tools } = await mcp.client.listTools()
  const all = tools.map(({ name }) => name.replace(/^firecrawl_/, ''))
  expect([...testedTools].sort()).toEqual(all.sort())
})

describe('the published tools for language models', () => {
  testTools('scrape a page in its formats', ['scrape'], async () => {
    const url = `${site.url}/pages/6`
    const document = await useTool('scrape', { url, formats: ['markdown', 'links'], onlyMainContent: true })
    expect(document).toMatchObject({
      markdown: expect.stringContaining('# Page 6'),
      links: [`${site.url}/pages/7`],
    })
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const values = await useTool('scrape', {
      url,
      formats: ['json'],
      jsonOptions: { prompt: 'The title', schema },
    })
    expect(values.json).toEqual({ title: 'Page 6' })
    const prompt = 'In which year was the lamp shown for the first time?'
    const request = { url: `${site.url}/lamps/desk`, formats: ['query'], queryOptions: { prompt } }
    expect((await useTool('scrape', request)).answer).toContain('1972')
  })

  testTools('map, crawl and read how a crawl stands', ['map', 'crawl', 'check_crawl_status'], async () => {
    const url = `${site.url}/links/5`
    const mapped = await useTool('map', { url, search: 'links', limit: 10, sitemap: 'skip' })
    expect(mapped.links.length).toBeGreaterThan(0)
    const crawled = await useTool('crawl', { url, limit: 3, crawlEntireDomain: true })
    expect(crawled).toMatchObject({ status: 'completed', completed: 3 })
    expect(await useTool('check_crawl_status', { id: crawled.id })).toMatchObject({
      status: 'completed',
      total: 3,
    })
  })

  const feedbackTools = ['scrape', 'search', 'search_feedback', 'feedback']
  testTools('search with what they ask for by themselves, and send feedback', feedbackTools, async () => {
    const { metadata } = await useTool('scrape', { url: `${site.url}/pages/41`, formats: ['markdown'] })
    await expect
      .poll(async () => (await useTool('search', { query: '"Page 41"', limit: 3 })).data.web[0]?.url)
      .toBe(`${site.url}/pages/41`)
    const results = await useTool('search', { query: '"Page 41"', limit: 3 })
    expect(results.warning).toContain('alexandria')
    const valuableSources = [{ url: `${site.url}/pages/41`, reason: 'It is the page.' }]
    const feedbackResult = await useTool('search_feedback', {
      searchId: results.id,
      rating: 'good',
      valuableSources,
    })
    expect(feedbackResult).toMatchObject({ success: true })
    const feedback = { endpoint: 'scrape', jobId: metadata.scrapeId, rating: 'good' }
    expect(await useTool('feedback', feedback)).toMatchObject({ success: true })
  })

  const interactTools = ['scrape', 'interact', 'interact_stop']
  testTools('work on a page, by its scrape and by its address', interactTools, async () => {
    const { metadata } = await useTool('scrape', { url: `${site.url}/pages/5`, formats: ['markdown'] })
    const code = 'await page.title()'
    const ran = await useTool('interact', { scrapeId: metadata.scrapeId, code, language: 'node' })
    expect(ran).toMatchObject({ success: true, result: 'Page 5' })
    expect(await useTool('interact_stop', { scrapeId: metadata.scrapeId })).toMatchObject({ success: true })
    const direct = await useTool('interact', { url: `${site.url}/pages/8`, code, language: 'node' })
    expect(direct).toMatchObject({ success: true, result: 'Page 8' })
  })

  testTools('parse a file of the machine', ['parse'], async () => {
    const filePath = join(folder.path, 'fog.html')
    writeFileSync(filePath, '<h1>Fog</h1>')
    expect((await useTool('parse', { filePath })).data.markdown).toBe('# Fog')
  })

  testTools('tell the credits, now and by month', ['scrape', 'credit_usage'], async () => {
    expect(await useTool('credit_usage', {})).toMatchObject({ remainingCredits: expect.any(Number) })
    await useTool('scrape', { url: `${site.url}/pages/10` })
    const { periods } = await useTool('credit_usage', { view: 'historical', byApiKey: true })
    expect(periods.length).toBeGreaterThan(0)
  })

  testTools('search for developers', ['developer_search'], async () => {
    const result = await call('developer_search', { query: 'zz-no-such-thing' })
    expect(result.isError).toBe(false)
    expect(result.text).toBe('(no results)')
  })

  testTools(
    'get an error where something is not allowed or not there',
    ['scrape', 'agent', 'agent_status'],
    async () => {
      expect(await expectError('scrape', { url: 'http://10.0.0.1/', formats: ['markdown'] })).toContain(
        'ALLOW_PRIVATE_NETWORK',
      )
      expect(await expectError('agent', { prompt: 'the title', urls: [site.url] })).toContain('MODEL_URL')
      // For errors of this call and of the research calls below, the tool passes on only the status.
      expect(await expectError('agent_status', { id: randomUUID() })).toContain('status code 404')
    },
  )

  const monitor = 'Not available on this installation: monitor'
  const [id, checkId] = [randomUUID(), randomUUID()]
  const paperId = 'arxiv:1706.03762'
  const unavailable: [tool: string, input: object, message: string][] = [
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
    // No provider is called here. research.test.ts tests these tools with providers.
    ['research_search_papers', { query: 'tide' }, 'status code 501'],
    ['research_inspect_paper', { paperId }, 'status code 501'],
    ['research_related_papers', { seed_ids: [paperId], intent: 'tide' }, 'status code 501'],
    ['research_read_paper', { paperId, question: 'What is attention?' }, 'status code 501'],
    // These calls end before a provider is called.
    ['research_search_github', { query: 'tide' }, 'is deprecated'],
    ['extract', { urls: ['https://a.example/'], prompt: 'The title' }, 'is deprecated'],
  ]
  for (const [tool, input, message] of unavailable)
    testTools(
      `say what is not to be had: ${tool} with ${Object.keys(input).join(', ') || 'nothing'}`,
      [tool],
      async () => {
        expect(await expectError(tool, input)).toContain(message)
      },
    )
})

import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import type { McpClient } from '../mcp.ts'
import { runPublishedCli, startPublishedTools } from '../published.ts'
import { type SearchProviders, startSearchProviders } from '../servers/search-providers.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let providers: SearchProviders
let site: Site
let own: OwnService
const folder = temporaryFolder()
beforeAll(async () => {
  const paper = '<main><h1>Wind</h1><p>Old bridges sway, and the wind is measured twice.</p></main>'
  const text = '<main><h1>Retries</h1><p>A lost connection is opened again three times.</p></main>'
  site = await startSite({
    routes: {
      '/guide': (exchange) => sendHtml(exchange, page('Retries', text)),
      '/paper': (exchange) => sendHtml(exchange, page('Wind', paper)),
    },
  })
  providers = await startSearchProviders({ openUrl: `${site.url}/paper` })
  own = await startOwnService({
    ...{ SEARCH_URLS: providers.urls, SEARCH_PROVIDERS: 'arxiv,crossref,openalex,github,github-issues' },
    ...{ TEAM_CREDITS: '1000', RATE_PER_MINUTE: '100000' },
  })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  await providers.stop()
  folder.remove()
})

const client = () => new Firecrawl({ apiUrl: own.url, apiKey: own.key })

describe('research by the published JavaScript client', () => {
  it('finds papers by words, authors, categories and dates, and pays for them', async () => {
    const creditsBefore = (await client().getCreditUsage()).remainingCredits
    const { results } = await client().research.searchPapers('tide', {
      ...{ k: 10, authors: ['Moss'], categories: ['cs.LG'], from: '2023-01-01', to: '2024-12-31' },
    })
    expect(results).toMatchObject([
      { primaryId: 'arxiv:2401.00001', title: 'Forecasting the tide with small models' },
    ])
    expect((await client().getCreditUsage()).remainingCredits).toBe(creditsBefore - 2)
  })

  it('returns a paper and its passages', async () => {
    const { research } = client()
    expect(await research.getPaper('doi:10.5555/tide.2')).toMatchObject({
      ...{ success: true, paper: { paperId: 'arxiv:2402.00002', authors: 'Cleo Marsh' } },
    })
    await expect(research.getPaper('doi:10.5555/none')).rejects.toMatchObject({
      ...{ status: 404, message: expect.stringContaining('No catalogue') },
    })
    const details = await research.getPaper('doi:10.5555/wind.3', { query: 'who measured the wind', k: 2 })
    expect(details).toMatchObject({ paperId: 'doi:10.5555/wind.3', query: 'who measured the wind' })
    expect(details.passages[0]?.text).toContain('the wind is measured twice')
  })

  it('finds papers that are related to others', async () => {
    const related = await client().research.similarPapers('10.5555/tide.1', {
      ...{ intent: 'bridges in the wind', mode: 'citers', k: 1, anchor: ['pmid:102'] },
    })
    expect(related).toMatchObject({ results: [{ primaryId: 'doi:10.5555/wind.3' }], poolSize: 1 })
  })

  it('searches GitHub', async () => {
    const { results } = await client().research.searchGithub('tide', { k: 5 })
    expect(results.map(({ resultType }) => resultType)).toEqual(['github_history', 'repo_readme'])
  })

  it('gets errors that name the problem', async () => {
    const invalid = client().research.searchPapers('tide', { from: 'yesterday' })
    await expect(invalid).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('YYYY-MM-DD'),
    })
    const unavailable = await own.call('GET', '/v2/search/research/authors')
    expect([unavailable.status, unavailable.body.code]).toEqual([501, 'FEATURE_NOT_AVAILABLE'])
  })
})

describe('research by the published tools for language models', () => {
  let tools: McpClient
  beforeAll(async () => {
    tools = await startPublishedTools({ ...own, home: folder.path })
  })
  afterAll(() => tools.close())

  it.each([
    ['research_search_papers', { query: 'tide', k: 5 }, 'Forecasting the tide with small models'],
    ['research_inspect_paper', { paperId: 'doi:10.5555/tide.2' }, 'Cleo Marsh'],
    [
      'research_read_paper',
      { paperId: 'doi:10.5555/wind.3', question: 'who measured the wind' },
      'the wind is measured twice',
    ],
    [
      'research_related_papers',
      { seed_ids: ['10.5555/tide.1'], intent: 'bridges in the wind', mode: 'citers' },
      'doi:10.5555/wind.3',
    ],
    ['developer_search', { query: 'tide' }, 'tide'],
  ])('%s', async (name, input, expected) => {
    const { isError, text } = await tools.callTool(`firecrawl_${name}`, input)
    expect([isError, text]).toEqual([false, expect.stringContaining(expected)])
  })
})

describe('research by the published command line', () => {
  it.each([
    [['search-papers', 'tide', '--limit', '5'], 'Forecasting the tide with small models'],
    [['inspect-paper', 'doi:10.5555/tide.2'], 'Cleo Marsh'],
    [
      ['read-paper', 'doi:10.5555/wind.3', '--question', 'who measured the wind'],
      'the wind is measured twice',
    ],
    [
      ['related-papers', '10.5555/tide.1', '--intent', 'bridges in the wind', '--mode', 'citers'],
      'doi:10.5555/wind.3',
    ],
    [['search-github', 'tide'], 'tide'],
  ])('%j', async (args, expected) => {
    const { code, all } = await runPublishedCli({ ...own, home: folder.path }, ['research', ...args])
    expect([code, all]).toEqual([0, expect.stringContaining(expected)])
  })
})

describe('a developer search', () => {
  it('works with the published JavaScript client, with every filter it knows', async () => {
    const result = await client().developerSearch('connection is lost', {
      ...{ k: 5, passages: 2, types: ['doc', 'issue', 'pull_request', 'readme'], repos: ['sea/tide'] },
      ...{ sources: ['docs.example'], language: 'Rust', topic: ['tides'], license: 'MIT', minStars: 1 },
      ...{ maxStars: 9, archived: false, fork: true },
    })
    expect(result).toMatchObject({ success: true, results: [{ id: 'readme:sea/tide' }] })
    expect(result.repos).toMatchObject([{ repo: 'sea/tide', indexed: true, types: { readme: true } }])
    expect(result.sources).toEqual([{ source: 'docs.example', indexed: false }])
  })

  it('finds indexed pages in addition to those of GitHub', async () => {
    const { hostname } = new URL(site.url)
    await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/guide` } })
    const search = () =>
      own.call('GET', `/v2/search/developer?query=lost+connection&types=doc&k=3&sources=${hostname}`)
    await expect.poll(async () => (await search()).body.results?.[0]?.url).toBe(`${site.url}/guide`)
    const { body } = await search()
    expect(body).toMatchObject({ coverage: { doc: 'ok', issue: 'skipped' }, sources: [{ indexed: true }] })
    expect(body.results[0].passages[0].text).toContain('three times')
  })

  it('names unavailable features', async () => {
    const skills = client().developerSearch('retry', { skills: 'only' })
    await expect(skills).rejects.toMatchObject({ status: 501, code: 'FEATURE_NOT_AVAILABLE' })
    const invalid = await own.call('GET', '/v2/search/developer?query=x&types=doc&repos=a/b')
    expect([invalid.status, invalid.body.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

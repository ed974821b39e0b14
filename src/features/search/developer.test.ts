import { describe, expect, it } from 'vitest'
import { code, down, type SearchDeps, searchScene } from '../../../test/search-scene.ts'
import { searchDeveloper } from './developer.ts'
import { developerQuery, developerRequest } from './developer-schema.ts'
import { searchResearchGithub } from './research.ts'

describe('searchResearchGithub', () => {
  it('returns issues and repositories', async () => {
    const { deps } = searchScene(code)
    const { results } = await searchResearchGithub(deps, { query: 'tide', k: 10 })
    expect(results).toMatchObject([
      { resultType: 'github_history', repo: 'sea/tide', pageType: 'issue', number: 7 },
      { resultType: 'repo_readme', repo: 'sea/tide', url: 'https://github.com/sea/tide' },
    ])
  })
})

describe('searchDeveloper', () => {
  const find = (deps: SearchDeps, request: object) =>
    searchDeveloper(deps, developerRequest.parse({ query: 'connection is lost', ...request }))

  it('queries GitHub for each type, and searches the indexed pages', async () => {
    const { deps, calls } = searchScene(code)
    const { results, coverage } = await find(deps, {})
    expect(results.map(({ id }) => id).sort()).toEqual([
      ...['doc:https://docs.example/retry', 'issue:sea/tide#7', 'pull_request:sea/tide#8', 'readme:sea/tide'],
    ])
    expect(coverage).toEqual({ doc: 'ok', issue: 'ok', pull_request: 'ok', readme: 'ok' })
    expect(calls.filter((call) => call.includes('is:pr is:merged'))).toHaveLength(1)
    expect(results.find(({ type }) => type === 'readme')?.license).toEqual({
      state: 'licensed',
      spdx_id: 'MIT',
    })
    expect(results.find(({ type }) => type === 'issue')?.passages[0]).toMatchObject({
      ...{
        text: expect.stringContaining('lost after an hour'),
        citation_url: 'https://github.com/sea/tide/issues/7',
      },
    })
  })

  it('reports own pages as unavailable if their index is switched off', async () => {
    const { deps } = searchScene(code)
    const exclusion = 'own pages are not searched, because their index is off'
    const emptyResult = { found: [], documents: 0, withoutVector: 0, unindexed: 0, exclusion }
    const off = { ...deps, searchIndexedPages: async () => emptyResult as never }
    const { coverage, warning } = await find(off, {})
    expect({ coverage, warning }).toMatchObject({
      coverage: { doc: 'unavailable', issue: 'ok' },
      warning: `${exclusion}.`,
    })
    await expect(find(off, { types: ['doc'] })).rejects.toMatchObject({
      code: 'FEATURE_NOT_AVAILABLE',
      message: expect.stringContaining(exclusion),
    })
  })

  it('applies its filters, and reports types that they exclude', async () => {
    const { deps, calls } = searchScene(code)
    const filters = {
      repos: ['sea/tide'],
      language: 'C++',
      topic: ['tides'],
      license: 'mit',
      min_stars: 5,
      fork: true,
    }
    const { coverage, repos, warning } = await find(deps, { ...filters, archived: false })
    expect(calls).toHaveLength(1)
    expect(calls[0]).toContain(
      'repo:sea/tide language:C++ archived:false topic:tides license:mit stars:5..* fork:only',
    )
    expect(coverage).toEqual({
      ...{ doc: 'unavailable', issue: 'unavailable' },
      pull_request: 'unavailable',
      readme: 'ok',
    })
    expect(warning).toContain('topic, license, stars and fork find repositories')
    expect(repos).toEqual([
      { repo: 'sea/tide', indexed: true, types: { issue: false, pullRequest: false, readme: true } },
    ])
  })

  it('reports which sources and repositories are indexed', async () => {
    const { deps, own } = searchScene(code)
    const sources = ['docs.example', 'nowhere.example']
    const response = await find(deps, { types: ['doc', 'issue'], sources, repos: ['no/where'] })
    expect(own[0]).toContain('"name":"site","value":"docs.example"')
    expect(response.sources).toEqual([
      { source: 'docs.example', indexed: true },
      { source: 'nowhere.example', indexed: false },
    ])
    expect(response.repos).toMatchObject([{ repo: 'no/where', indexed: false }])
    expect(response.coverage).toMatchObject({ issue: 'ok', readme: 'skipped' })
  })

  it('fails if nothing could be searched', async () => {
    const failingScene = searchScene(code, down('github'))
    await expect(find(failingScene.deps, { types: ['issue'] })).rejects.toMatchObject({
      code: 'SEARCH_ENGINE_FAILED',
    })
    const withoutProviders = find(searchScene([]).deps, { types: ['issue'] })
    await expect(withoutProviders).rejects.toMatchObject({
      ...{ code: 'FEATURE_NOT_AVAILABLE', detail: { hint: expect.stringContaining('github-issues') } },
    })
    await expect(find(searchScene(code).deps, { skills: 'only' })).rejects.toMatchObject({
      code: 'FEATURE_NOT_AVAILABLE',
    })
  })

  it('rejects filters that cannot match, and parses both list forms of a query string', () => {
    const isValid = (request: object) => developerRequest.safeParse({ query: 'x', ...request }).success
    expect(isValid({ types: ['doc'], repos: ['a/b'] })).toBe(false)
    expect(isValid({ types: ['issue'], sources: ['a.example'] })).toBe(false)
    expect(isValid({ min_stars: 5, max_stars: 4 })).toBe(false)
    expect(isValid({ max_stars: 4, k: 101 })).toBe(false)
    expect(isValid({ max_stars: 4 })).toBe(true)
    const read = (request: object) => developerQuery.parse({ query: 'x', ...request })
    expect(read({ types: 'issue,doc', k: '3', fork: 'true' })).toMatchObject({
      types: ['issue', 'doc'],
      k: 3,
      fork: true,
    })
    expect(read({ types: ['issue', 'doc'] }).types).toEqual(['issue', 'doc'])
    expect(developerQuery.safeParse({ query: 'x', types: 'code' }).success).toBe(false)
  })
})

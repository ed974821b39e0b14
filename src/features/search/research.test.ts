import { describe, expect, it } from 'vitest'
import { code, down, papers, type SearchDeps, searchScene } from '../../../test/search-scene.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import { getPaper, readPaper, searchPapers } from './research.ts'
import { paperQuery, papersQuery, similarQuery } from './research-schema.ts'
import { similarPapers } from './similar-papers.ts'

describe('searchPapers', () => {
  const find = (deps: SearchDeps, request: object) => searchPapers(deps, papersQuery.parse(request))

  it('queries all catalogues, and merges the ids of a paper', async () => {
    const { deps, calls } = searchScene(papers)
    const { results, warning } = await find(deps, { query: 'tide', k: '5' })
    expect(calls.map((call) => call.split('/')[1]).sort()).toEqual(['arxiv', 'crossref', 'openalex'])
    expect(results.map(({ title }) => title)).toEqual([
      'Forecasting the tide with small models',
      'A survey of harbours and their tides',
    ])
    expect(results[0]).toMatchObject({
      ...{ paperId: 'arxiv:2401.00001', primaryId: 'arxiv:2401.00001' },
      abstract: 'We forecast the tide of a harbour from wind and pressure.',
      ids: { arxiv: ['2401.00001'], doi: ['10.5555/tide.1'], openalex: ['W1'], pmid: ['101'] },
    })
    expect(results[0]?.score).toBeGreaterThan(results[1]?.score ?? 1)
    expect(warning).toBeUndefined()
  })

  it('filters by author, category and date, and reports catalogues that were skipped', async () => {
    const { deps, calls } = searchScene(papers)
    const byAuthor = await find(deps, {
      query: 'tide wind',
      authors: 'moss',
      from: '2023-01-01',
      to: '2024-12-31',
    })
    expect(byAuthor.results.map(({ title }) => title).sort()).toEqual([
      'Forecasting the tide with small models',
      'Wind pressure on old bridges',
    ])
    expect(calls.join(' ')).toContain('submittedDate:[202301010000 TO 202412312359]')
    const byAuthors = await find(deps, { query: 'tide', authors: ['Moss', 'Reed'] })
    expect(byAuthors.results.map(({ title }) => title)).toEqual(['Forecasting the tide with small models'])
    calls.length = 0
    const byCategory = await find(deps, { query: 'tide', categories: ['cs.LG'] })
    expect(byCategory.results).toHaveLength(1)
    expect(calls.map((call) => call.split('/')[1])).toEqual(['arxiv'])
    expect(byCategory.warning).toContain('crossref does not know categories and was not asked.')
  })

  it('reports failed catalogues, and fails if all of them fail', async () => {
    const { deps } = searchScene(papers, down('arxiv'))
    expect((await find(deps, { query: 'tide' })).warning).toContain('arXiv answered 500')
    const allFailing = searchScene(['arxiv'], down('arxiv'))
    await expect(find(allFailing.deps, { query: 'tide' })).rejects.toMatchObject({
      code: 'SEARCH_ENGINE_FAILED',
      detail: {
        ...{ phase: 'search', details: ['arXiv answered 500: down'] },
        hint: expect.stringContaining('SEARCH_KEYS'),
      },
    })
  })

  it('is not available without a catalogue', async () => {
    const { deps } = searchScene(code)
    await expect(find({ ...deps, providers: [] }, { query: 'tide' })).rejects.toMatchObject({
      code: 'FEATURE_NOT_AVAILABLE',
    })
    const onlyCrossref = searchScene(['crossref'])
    await expect(find(onlyCrossref.deps, { query: 'tide', categories: 'cs.LG' })).rejects.toMatchObject({
      ...{ code: 'FEATURE_NOT_AVAILABLE', detail: { hint: expect.stringContaining('arxiv') } },
    })
  })
})

describe('getPaper', () => {
  const get = (deps: SearchDeps, id: string, request: object = {}) =>
    getPaper(deps, { ...paperQuery.parse(request), id })

  it('finds a paper by each of its ids', async () => {
    const { deps } = searchScene(papers)
    for (const id of ['arxiv:2401.00001', 'doi:10.5555/tide.1', 'pmid:101', 'openalex:W1'])
      expect((await get(deps, id)).paper).toMatchObject({
        ...{ paperId: 'arxiv:2401.00001', title: 'Forecasting the tide with small models' },
        ...{ authors: 'Ada Moss, Ben Reed', createdDate: '2024-01-02' },
      })
    const { paper } = await get(deps, 'https://arxiv.org/abs/2401.00001v1')
    expect(paper).toMatchObject({ categories: ['physics.ao-ph', 'cs.LG'], updateDate: '2024-01-02' })
  })

  it('returns PAPER_NOT_FOUND for an unknown paper, and another error if no catalogue could be queried', async () => {
    const { deps } = searchScene(papers)
    await expect(get(deps, 'doi:10.5555/none')).rejects.toMatchObject({ code: 'PAPER_NOT_FOUND' })
    const broken = searchScene(['crossref'], down('crossref'))
    await expect(get(broken.deps, 'doi:10.5555/none')).rejects.toMatchObject({
      code: 'SEARCH_ENGINE_FAILED',
    })
    await expect(get(deps, '4711')).rejects.toMatchObject({ code: 'PAPER_NOT_FOUND' })
    await expect(get(searchScene(['arxiv']).deps, 'pmid:101')).rejects.toMatchObject({
      code: 'FEATURE_NOT_AVAILABLE',
    })
  })

  it('scrapes the paper, and returns the best passages first', async () => {
    const { deps } = searchScene(papers)
    const scraped: string[] = []
    const scrape = async (url: string) => {
      scraped.push(url)
      const filler = 'The sea is wide. '.repeat(40)
      return { markdown: `${filler}\n\nWind lifts the tide.\n\n${filler}` } as never
    }
    const found = await get(deps, 'arxiv:2401.00001')
    const { passages, paperId } = await readPaper(scrape, found as never, { query: 'wind', k: 1 })
    expect(scraped).toEqual(['https://arxiv.org/pdf/2401.00001v2'])
    expect(paperId).toBe('arxiv:2401.00001')
    expect(passages).toMatchObject([{ text: expect.stringContaining('Wind lifts the tide.') }])
    await expect(get(deps, 'arxiv:2401.00001', { k: '3' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('reports why a paper is unreadable, except for errors that the caller must handle', async () => {
    const found = await get(searchScene(papers).deps, 'arxiv:2401.00001')
    const failing = (code: ErrorCode) =>
      readPaper(() => Promise.reject(new AppError(code)), found as never, { query: 'wind' })
    await expect(failing('SCRAPE_SITE_ERROR')).rejects.toMatchObject({
      ...{ code: 'PAPER_UNREADABLE', detail: { reason: 'SCRAPE_SITE_ERROR' } },
    })
    await expect(failing('CREDITS_EXHAUSTED')).rejects.toMatchObject({ code: 'CREDITS_EXHAUSTED' })
  })
})

describe('similarPapers', () => {
  const find = (names: string[], request: object, id = 'arxiv:2401.00001') => {
    const { deps, calls } = searchScene(names)
    return similarPapers(deps, { ...similarQuery.parse(request), id }).then((response) => ({
      ...response,
      calls,
    }))
  }

  it('returns connected papers, sorted by relevance to the intent', async () => {
    const { results, poolSize, truncated, calls } = await find(papers, { intent: 'bridges in the wind' })
    expect(calls.at(-1)).toContain('filter=related_to:W1')
    expect(results.map(({ primaryId }) => primaryId)).toEqual(['doi:10.5555/wind.3', 'arxiv:2402.00002'])
    expect(results[0]?.signals).toMatchObject({ articleRank: 7, seedOverlap: 1 })
    expect([poolSize, truncated]).toEqual([2, false])
  })

  it('accepts several seeds, in each direction', async () => {
    const request = { intent: 'wind', mode: 'citers', anchor: ['doi:10.5555/tide.2'], k: '1', rerank: 'true' }
    const { results, calls, warning } = await find(papers, request)
    expect(calls.join(' ')).toMatch(/filter=cites:W1.*filter=cites:W2/)
    expect(results).toMatchObject([{ primaryId: 'doi:10.5555/wind.3', signals: { seedOverlap: 2 } }])
    expect(warning).toBe('No effect here: rerank.')
    const { calls: references } = await find(papers, { intent: 'wind', mode: 'references' })
    expect(references.at(-1)).toContain('filter=cited_by:W1')
  })

  it('is not available without the citation catalogue', async () => {
    const failing = find(['arxiv', 'crossref'], { intent: 'wind' })
    await expect(failing).rejects.toMatchObject({
      ...{ code: 'FEATURE_NOT_AVAILABLE', detail: { hint: expect.stringContaining('openalex') } },
    })
  })
})

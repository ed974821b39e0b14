import { describe, expect, it } from 'vitest'
import { mergePapers } from './merge-papers.ts'
import { fitsFilter, type Paper } from './paper.ts'
import { keyOfUrl, readPaperKey, writePaperKey } from './paper-key.ts'

const normalize = (text: string) => {
  const key = readPaperKey(text)
  return key && writePaperKey(key)
}

describe('readPaperKey', () => {
  it.each([
    ['arxiv:2105.05233', 'arxiv:2105.05233'],
    ['2105.05233v3', 'arxiv:2105.05233'],
    ['hep-th/9901001', 'arxiv:hep-th/9901001'],
    ['https://arxiv.org/pdf/2105.05233v2.pdf', 'arxiv:2105.05233'],
    ['doi:10.48550/arXiv.2105.05233', 'arxiv:2105.05233'],
    ['DOI:10.1000/ABC', 'doi:10.1000/abc'],
    ['https://doi.org/10.1000/abc', 'doi:10.1000/abc'],
    ['10.1000/abc', 'doi:10.1000/abc'],
    ['pmid:123', 'pmid:123'],
    ['https://pubmed.ncbi.nlm.nih.gov/123/', 'pmid:123'],
    ['pmcid:123', 'pmcid:PMC123'],
    ['PMC123', 'pmcid:PMC123'],
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/', 'pmcid:PMC123'],
    ['https://openalex.org/W12', 'openalex:W12'],
    ['w12', 'openalex:W12'],
  ])('parses %s as %s', (text, name) => {
    expect(normalize(text)).toBe(name)
  })

  it.each(['', '123', 'doi:no', 'arxiv:../x', 'pmid:x', 'https://a.example/1', 'https://arxiv.org/list/cs'])(
    'returns undefined for %s',
    (text) => {
      expect(normalize(text)).toBeUndefined()
    },
  )

  it('returns undefined for a URL with invalid percent-encoding', () => {
    expect(keyOfUrl('https://doi.org/%E0%A4%A')).toBeUndefined()
  })
})

const paper = (title: string, ids: Paper['ids'], more: Partial<Paper> = {}): Paper => ({
  ...{ url: 'https://a.example/', title, text: '', ids, authors: [], categories: [] },
  ...more,
})

describe('mergePapers', () => {
  it('merges papers with a common id or title, and combines their fields', () => {
    const [first, ...rest] = mergePapers([
      [paper('On tides', { arxiv: ['1'] }), paper('Other', { doi: ['x'] })],
      [paper('on Tides, anew', { doi: ['d'], arxiv: ['1'] }, { text: 'abstract', citations: 3 })],
      [paper('Elsewhere', { doi: ['d'] }, { authors: ['A'] })],
    ])
    expect(first?.paper).toMatchObject({
      ...{ title: 'On tides', text: 'abstract', citations: 3, authors: ['A'] },
      ids: { arxiv: ['1'], doi: ['d'] },
    })
    expect(rest.map((one) => one.paper.title)).toEqual(['Other'])
    const long = 'A survey of harbours and tides'
    expect(mergePapers([[paper(long, { arxiv: ['2'] })], [paper(`${long}.`, { doi: ['e'] })]])).toHaveLength(
      1,
    )
    expect(
      mergePapers([[paper('Editorial', { doi: ['f'] })], [paper('Editorial', { doi: ['g'] })]]),
    ).toHaveLength(2)
  })
})

describe('fitsFilter', () => {
  it('requires all authors and categories of the filter', () => {
    const candidate = paper(
      'On tides',
      {},
      { authors: ['Ada Moss', 'Ben Reed'], categories: ['cs.LG', 'stat.ML'] },
    )
    const fits = (authors: string[], categories: string[] = []) =>
      fitsFilter(candidate, { authors, categories })
    expect([fits(['moss']), fits(['moss', 'reed']), fits(['moss', 'ho'])]).toEqual([true, true, false])
    expect([fits([], ['CS.lg']), fits([], ['cs.LG', 'cs.AI'])]).toEqual([true, false])
  })
})

import { arxiv, toEntryResult } from '../providers/arxiv.ts'
import { buildCallUrl } from '../providers/calls.ts'
import { readFeed } from '../providers/read-feed.ts'
import { dateOf } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue, type PaperFilter } from './paper.ts'
import { readPaperKey } from './paper-key.ts'

export const arxivPapers: PaperCatalogue = {
  provider: arxiv,
  supportsCategories: true,
  call(query, request, endpoint) {
    if (query.kind === 'search') {
      const call = arxiv.call(request, endpoint)
      const { searchParams } = call.url
      const terms = [...writeFilter(query.filter), searchParams.get('search_query') ?? '']
      searchParams.set('search_query', terms.filter((term) => term !== '').join(' AND '))
      // Makes the URL differ from that of a plain search, whose cached results have fewer fields.
      searchParams.set('start', '0')
      return call
    }
    if (query.kind !== 'look-up' || query.key.scheme !== 'arxiv') return undefined
    const url = buildCallUrl(endpoint, '/api/query', { id_list: query.key.value, max_results: '1' })
    return { method: 'GET', url, headers: { accept: 'application/atom+xml' } }
  },
  read(response, request) {
    // Throws if the response is not a list of papers.
    arxiv.read(response, request)
    return readFeed(response, 'arXiv').flatMap((entry) => {
      const { texts, authors, categories } = entry
      const result = toEntryResult(entry)
      // arXiv returns an entry without a title for a paper that does not exist.
      if (!texts.has('title')) return []
      return normalizePaper({
        ...result,
        updatedAt: dateOf(texts.get('updated')),
        keys: [readPaperKey(result.url ?? ''), readPaperKey(`doi:${texts.get('doi') ?? ''}`)],
        authors,
        categories,
        pdfUrl: result.url?.replace('/abs/', '/pdf/'),
      })
    })
  },
}

function writeFilter({ authors, categories }: PaperFilter): string[] {
  return [
    ...authors.map((name) => `au:"${name.replace(/[^\p{L}\p{M}\p{N}.' -]+/gu, ' ').trim()}"`),
    ...categories.map((category) => `cat:${category.replace(/[^\w.-]+/g, '')}`),
  ]
}

import { arxiv } from '../providers/arxiv.ts'
import { buildCallUrl } from '../providers/calls.ts'
import { readFeed } from '../providers/read-feed.ts'
import { dateOf } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue, type PaperFilter } from './paper.ts'
import { readPaperKey } from './paper-key.ts'

export const arxivPapers: PaperCatalogue = {
  provider: arxiv,
  knowsCategories: true,
  call(query, request, place) {
    if (query.kind === 'search') {
      const call = arxiv.call(request, place)
      const { searchParams } = call.url
      const terms = [...filtersOf(query.filter), searchParams.get('search_query') ?? '']
      searchParams.set('search_query', terms.filter((term) => term !== '').join(' AND '))
      // Told apart from a search that asks for less of each paper.
      searchParams.set('start', '0')
      return call
    }
    if (query.kind !== 'look-up' || query.key.scheme !== 'arxiv') return undefined
    const url = buildCallUrl(place, '/api/query', { id_list: query.key.value, max_results: '1' })
    return { method: 'GET', url, headers: { accept: 'application/atom+xml' } }
  },
  read(answer, request) {
    // Refuses what is no list of papers.
    arxiv.read(answer, request)
    return readFeed(answer, 'arXiv').flatMap(({ link, texts, authors, categories }) => {
      const url = link ?? texts.get('id')
      // A paper that does not exist is an entry without a title.
      if (!texts.has('title')) return []
      return normalizePaper({
        url,
        title: texts.get('title'),
        text: texts.get('summary'),
        publishedAt: dateOf(texts.get('published')),
        updatedAt: dateOf(texts.get('updated')),
        keys: [readPaperKey(url ?? ''), readPaperKey(`doi:${texts.get('doi') ?? ''}`)],
        authors,
        categories,
        pdfUrl: url?.replace('/abs/', '/pdf/'),
      })
    })
  },
}

function filtersOf({ authors, categories }: PaperFilter): string[] {
  return [
    ...authors.map((name) => `au:"${name.replace(/[^\p{L}\p{M}\p{N}.' -]+/gu, ' ').trim()}"`),
    ...categories.map((category) => `cat:${category.replace(/[^\w.-]+/g, '')}`),
  ]
}

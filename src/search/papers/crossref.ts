import { z } from 'zod'
import { getJson } from '../providers/calls.ts'
import { crossref, toWorkResult, workSchema } from '../providers/crossref.ts'
import { readJsonResponse } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue } from './paper.ts'
import { readPaperKey } from './paper-key.ts'

const text = z.string().optional()
const authorSchema = z.object({ given: text, family: text, name: text })
const paperSchema = workSchema.extend({
  author: z.array(authorSchema).optional(),
  'is-referenced-by-count': z.number().optional(),
})
const responseSchema = z.object({
  message: z.union([z.object({ items: z.array(paperSchema) }), paperSchema]),
})

const fields = 'DOI,URL,title,abstract,issued,author,is-referenced-by-count'

export const crossrefPapers: PaperCatalogue = {
  provider: crossref,
  supportsCategories: false,
  call(query, request, endpoint) {
    if (query.kind === 'search') {
      const call = crossref.call(request, endpoint)
      call.url.searchParams.set('select', fields)
      if (query.filter.authors.length > 0)
        call.url.searchParams.set('query.author', query.filter.authors.join(' '))
      return call
    }
    if (query.kind !== 'look-up' || query.key.scheme !== 'doi') return undefined
    return getJson(endpoint, `/works/${encodeURIComponent(query.key.value)}`)
  },
  read(response) {
    if (response.status === 404) return []
    const { message } = readJsonResponse(response, responseSchema, 'Crossref')
    const works = 'items' in message ? message.items : [message]
    return works.flatMap((work) =>
      normalizePaper({
        ...toWorkResult(work),
        keys: [readPaperKey(`doi:${work.DOI}`)],
        authors:
          work.author?.map(({ given, family, name }) => name ?? [given, family].join(' ').trim()) ?? [],
        citations: work['is-referenced-by-count'],
      }),
    )
  },
}

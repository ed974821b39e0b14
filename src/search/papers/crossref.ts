import { z } from 'zod'
import { getJson } from '../providers/calls.ts'
import { crossref, issuedAt } from '../providers/crossref.ts'
import { withoutTags } from '../providers/normalize-results.ts'
import { readJsonResponse } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue } from './paper.ts'
import { readPaperKey } from './paper-key.ts'

const workSchema = z.object({
  DOI: z.string(),
  URL: z.string().optional(),
  title: z.array(z.string()).optional(),
  abstract: z.string().optional(),
  author: z
    .array(
      z.object({ given: z.string().optional(), family: z.string().optional(), name: z.string().optional() }),
    )
    .optional(),
  issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())).optional() }).optional(),
  'is-referenced-by-count': z.number().optional(),
})

type Work = z.output<typeof workSchema>

const responseSchema = z.object({ message: z.union([z.object({ items: z.array(workSchema) }), workSchema]) })

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
    const works: Work[] = 'items' in message ? message.items : [message]
    return works.flatMap((work) =>
      normalizePaper({
        url: work.URL ?? `https://doi.org/${work.DOI}`,
        title: withoutTags(work.title?.[0] ?? work.DOI),
        text: withoutTags(work.abstract ?? ''),
        publishedAt: issuedAt(work.issued?.['date-parts']?.[0]),
        keys: [readPaperKey(`doi:${work.DOI}`)],
        authors:
          work.author?.map(({ given, family, name }) => name ?? [given, family].join(' ').trim()) ?? [],
        citations: work['is-referenced-by-count'],
      }),
    )
  },
}

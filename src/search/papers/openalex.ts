import { z } from 'zod'
import { getJson, throwIfRateLimited } from '../providers/calls.ts'
import { openalex, toWorkResult, workSchema } from '../providers/openalex.ts'
import type { ProviderEndpoint, ProviderRequest } from '../providers/provider.ts'
import { readJsonResponse } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue, type PaperFilter } from './paper.ts'
import { keyOfUrl, type PaperKey, readPaperKey } from './paper-key.ts'

const locationSchema = z.object({ landing_page_url: z.string().nullish(), pdf_url: z.string().nullish() })

const paperSchema = workSchema.extend({
  ids: z.object({ pmid: z.string().nullish(), pmcid: z.string().nullish() }).nullish(),
  authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).nullish(),
  primary_location: locationSchema.nullish(),
  best_oa_location: locationSchema.nullish(),
  cited_by_count: z.number().nullish(),
})
const responseSchema = z.union([z.object({ results: z.array(paperSchema) }), paperSchema])

const fields =
  'id,doi,display_name,publication_date,ids,authorships,primary_location,best_oa_location,cited_by_count,abstract_inverted_index'

const filters = { similar: 'related_to', citers: 'cites', references: 'cited_by' }

export const openalexPapers: PaperCatalogue = {
  provider: openalex,
  supportsCategories: false,
  call(query, request, endpoint) {
    if (query.kind === 'search') return searchCall(query.filter, request, endpoint)
    if (query.kind === 'look-up')
      return getJson(endpoint, `/works/${encodeURIComponent(toOpenalexId(query.key))}`, {
        select: fields,
        api_key: endpoint.key,
      })
    return getJson(endpoint, '/works', {
      filter: `${filters[query.relation]}:${query.openalexId}`,
      ...{ per_page: '100', select: fields, api_key: endpoint.key },
    })
  },
  read(response, { now }) {
    if (response.status === 404) return []
    throwIfRateLimited(response, 'OpenAlex', now)
    const body = readJsonResponse(response, responseSchema, 'OpenAlex')
    const works = 'results' in body ? body.results : [body]
    return works.flatMap((work) =>
      normalizePaper({
        ...toWorkResult(work),
        keys: getKeys(work),
        authors: work.authorships?.map(({ author }) => author.display_name) ?? [],
        citations: work.cited_by_count,
        pdfUrl: work.best_oa_location?.pdf_url,
      }),
    )
  },
}

function searchCall({ authors }: PaperFilter, request: ProviderRequest, endpoint: ProviderEndpoint) {
  const call = openalex.call(request, endpoint)
  const { searchParams } = call.url
  searchParams.set('select', fields)
  const names = authors.map((name) => `raw_author_name.search:${name.replace(/[,|!:]+/g, ' ').trim()}`)
  const all = [searchParams.get('filter') ?? '', ...names].filter((part) => part !== '')
  if (all.length > 0) searchParams.set('filter', all.join(','))
  return call
}

/** OpenAlex lists arXiv papers by the DOI that arXiv assigns. */
function toOpenalexId({ scheme, value }: PaperKey): string {
  if (scheme === 'openalex') return value
  return scheme === 'arxiv' ? `doi:10.48550/arxiv.${value.toLowerCase()}` : `${scheme}:${value}`
}

function getKeys({ id, doi, ids, primary_location, best_oa_location }: z.output<typeof paperSchema>) {
  return [
    ...(doi ? [readPaperKey(`doi:${doi}`)] : []),
    ...[primary_location, best_oa_location].map((location) => keyOfUrl(location?.landing_page_url ?? '')),
    ...[ids?.pmid, ids?.pmcid, id].map((address) => keyOfUrl(address ?? '')),
  ]
}

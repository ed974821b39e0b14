import { z } from 'zod'
import { getJson, throwIfRateLimited } from '../providers/calls.ts'
import { abstractOf, openalex } from '../providers/openalex.ts'
import type { ProviderPlace, ProviderRequest } from '../providers/provider.ts'
import { dateOf, readJsonResponse } from '../providers/read-response.ts'
import { normalizePaper, type PaperCatalogue, type PaperFilter, type PaperRelation } from './paper.ts'
import { keyOfAddress, type PaperKey, readPaperKey } from './paper-key.ts'

const location = z.object({ landing_page_url: z.string().nullish(), pdf_url: z.string().nullish() })

const workShape = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  display_name: z.string().nullish(),
  publication_date: z.string().nullish(),
  ids: z.object({ pmid: z.string().nullish(), pmcid: z.string().nullish() }).nullish(),
  authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).nullish(),
  primary_location: location.nullish(),
  best_oa_location: location.nullish(),
  cited_by_count: z.number().nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
})

type Work = z.output<typeof workShape>

const answerShape = z.union([z.object({ results: z.array(workShape) }), workShape])

const fields =
  'id,doi,display_name,publication_date,ids,authorships,primary_location,best_oa_location,cited_by_count,abstract_inverted_index'

/** By which of its filters papers are found that are connected to one. */
const filters: Record<PaperRelation, string> = {
  similar: 'related_to',
  citers: 'cites',
  references: 'cited_by',
}

export const openalexPapers: PaperCatalogue = {
  provider: openalex,
  knowsCategories: false,
  call(query, request, place) {
    if (query.kind === 'search') return searchCall(query.filter, request, place)
    if (query.kind === 'look-up')
      return getJson(place, `/works/${encodeURIComponent(nameOf(query.key))}`, {
        select: fields,
        api_key: place.key,
      })
    return getJson(place, '/works', {
      filter: `${filters[query.relation]}:${query.openalexId}`,
      ...{ per_page: '100', select: fields, api_key: place.key },
    })
  },
  read(answer, { now }) {
    if (answer.status === 404) return []
    throwIfRateLimited(answer, 'OpenAlex', now)
    const said = readJsonResponse(answer, answerShape, 'OpenAlex')
    const works: Work[] = 'results' in said ? said.results : [said]
    return works.flatMap((work) =>
      normalizePaper({
        url: work.primary_location?.landing_page_url ?? work.doi ?? work.id,
        title: work.display_name,
        text: abstractOf(work.abstract_inverted_index ?? {}),
        publishedAt: dateOf(work.publication_date),
        keys: keysOf(work),
        authors: work.authorships?.map(({ author }) => author.display_name) ?? [],
        citations: work.cited_by_count,
        pdfUrl: work.best_oa_location?.pdf_url,
      }),
    )
  },
}

function searchCall({ authors }: PaperFilter, request: ProviderRequest, place: ProviderPlace) {
  const call = openalex.call(request, place)
  const { searchParams } = call.url
  searchParams.set('select', fields)
  const names = authors.map((name) => `raw_author_name.search:${name.replace(/[,|!:]+/g, ' ').trim()}`)
  const all = [searchParams.get('filter') ?? '', ...names].filter((part) => part !== '')
  if (all.length > 0) searchParams.set('filter', all.join(','))
  return call
}

/** Papers of arXiv are there by the DOI that arXiv gives them. */
function nameOf({ scheme, value }: PaperKey): string {
  if (scheme === 'openalex') return value
  return scheme === 'arxiv' ? `doi:10.48550/arxiv.${value.toLowerCase()}` : `${scheme}:${value}`
}

function keysOf({ id, doi, ids, primary_location, best_oa_location }: Work): (PaperKey | undefined)[] {
  return [
    doi ? readPaperKey(`doi:${doi}`) : undefined,
    ...[primary_location, best_oa_location].map((place) => keyOfAddress(place?.landing_page_url ?? '')),
    keyOfAddress(ids?.pmid ?? ''),
    keyOfAddress(ids?.pmcid ?? ''),
    keyOfAddress(id),
  ]
}

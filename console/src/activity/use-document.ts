import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type { GetScrapeByIdResponse, JobTrace } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

const kindsWithDocument = new Set(['scrape', 'parse'])

/** Queries the document of a completed scrape or parse job. `hasFailed` is true if the request failed. */
export function useDocument({ id, kind, state }: JobTrace) {
  const { data, error } = useQuery({
    queryKey: ['scrape', id],
    queryFn: () => request<GetScrapeByIdResponse>('GET', apiPath('/v2/scrape/{id}', { id })),
    enabled: state === 'completed' && kindsWithDocument.has(kind),
  })
  return { data: data?.data, hasFailed: error !== null }
}

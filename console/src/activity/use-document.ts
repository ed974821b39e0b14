import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type { GetScrapeByIdResponse, JobTrace } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

const withDocument = new Set(['scrape', 'parse'])

/** The document of a job, where it has one that is still kept. */
export function useDocument({ id, kind, state }: JobTrace) {
  const { data, error } = useQuery({
    queryKey: ['scrape', id],
    queryFn: () => request<GetScrapeByIdResponse>('GET', apiPath('/v2/scrape/{id}', { id })),
    enabled: state === 'completed' && withDocument.has(kind),
  })
  return { data: data?.data, isGone: error !== null }
}

import { useQuery } from '@tanstack/react-query'
import type { GetCrawlErrorsResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

/** Errors of a crawl or a batch. A batch skips no URLs, so its response has no `skipped` and `summary`. */
type PageErrors = Pick<GetCrawlErrorsResponse, 'errors' | 'robotsBlocked'> & Partial<GetCrawlErrorsResponse>

/** Progress of the job. A change refetches the errors. */
export interface ErrorsQuery {
  path: string
  failed: number
  isRunning: boolean
}

/** Queries the page errors of a job. Refetches when more pages have failed, and when the job ends. */
export function usePageErrors({ path, failed, isRunning }: ErrorsQuery) {
  return useQuery({
    queryKey: ['errors', path, failed, isRunning],
    queryFn: () => request<PageErrors>('GET', `${path}/errors`),
    placeholderData: (previous) => previous,
  })
}

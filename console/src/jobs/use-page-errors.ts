import { useQuery } from '@tanstack/react-query'
import type { GetCrawlErrorsResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

/** A batch says nothing of addresses that it left out: it leaves out none. */
type PageErrors = Pick<GetCrawlErrorsResponse, 'errors' | 'robotsBlocked'> & Partial<GetCrawlErrorsResponse>

/** How far the job was when its errors were asked for. */
export interface ErrorsQuery {
  path: string
  failed: number
  isRunning: boolean
}

/** Why pages of a job failed; read again when more have failed, and at the end. */
export function usePageErrors({ path, failed, isRunning }: ErrorsQuery) {
  return useQuery({
    queryKey: ['errors', path, failed, isRunning],
    queryFn: () => request<PageErrors>('GET', `${path}/errors`),
    placeholderData: (before) => before,
  })
}

import { useQuery } from '@tanstack/react-query'
import { request } from './request.ts'
import type { OpenApi } from './schema.ts'

/** The description of the API by the service itself: a new option appears in the forms by being there. */
export function useOpenApi() {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: () => request<OpenApi>('GET', '/v2/openapi.json'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

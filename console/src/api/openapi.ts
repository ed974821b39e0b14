import { useQuery } from '@tanstack/react-query'
import { request } from './request.ts'
import type { OpenApi } from './schema.ts'

/**
 * Queries the OpenAPI description. The forms are built from it, so a new option of the API appears without a change
 * here.
 */
export function useOpenApi() {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: () => request<OpenApi>('GET', '/v2/openapi.json'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

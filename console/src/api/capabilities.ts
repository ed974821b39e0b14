import { useQuery } from '@tanstack/react-query'
import type { GetCapabilitiesResponse } from '../../../client/src/types.ts'
import { request } from './request.ts'

export type Capability = GetCapabilitiesResponse['features'][number]

/** Queries the features of this installation and which of them are available. */
export function useCapabilities() {
  return useQuery({
    queryKey: ['capabilities'],
    queryFn: () => request<GetCapabilitiesResponse>('GET', '/v2/capabilities'),
  })
}

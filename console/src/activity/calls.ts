import type { GetTeamActivityResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

export type Call = GetTeamActivityResponse['data'][number]

export interface CallFilter {
  endpoint?: string | undefined
  state?: string | undefined
}

export function fetchCalls(
  filter: CallFilter,
  cursor?: string,
  limit = 100,
): Promise<GetTeamActivityResponse> {
  const query = { endpoint: filter.endpoint, state: filter.state, cursor, limit }
  return request<GetTeamActivityResponse>('GET', '/v2/team/activity', { query })
}

import type { GetTeamActivityResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

/** One call of the team. The state is absent where the service is older than the console. */
export type Call = GetTeamActivityResponse['data'][number] & { state?: string; code?: string }

interface CallPage {
  data: Call[]
  cursor: string | null
}

export interface CallFilter {
  endpoint?: string | undefined
  state?: string | undefined
}

export function readCalls(filter: CallFilter, cursor?: string, limit = 100): Promise<CallPage> {
  const query = { endpoint: filter.endpoint, state: filter.state, cursor, limit }
  return request<CallPage>('GET', '/v2/team/activity', { query })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiPath } from '../../../../client/src/api-path.ts'
import type {
  GetOperatorOverviewResponse,
  OperatorKey,
  OperatorTeam,
  PostOperatorKeysResponse,
  PostOperatorTeamsByIdRequest,
  PostOperatorTeamsByIdResponse,
  PostOperatorTeamsRequest,
} from '../../../../client/src/types.ts'
import { request } from '../../api/request.ts'

export type { OperatorKey, OperatorTeam }
export type Overview = GetOperatorOverviewResponse['data']
export type TeamSettings = PostOperatorTeamsByIdRequest & Partial<PostOperatorTeamsRequest>

const operatorQueryKey = ['operator']

interface ListResponse<Row> {
  data: Row[]
  cursor: string | null
}

/**
 * Reads at most ten pages of a list, one after another. This covers most installations, which have few teams and
 * keys.
 */
async function fetchAll<Row>(path: string): Promise<{ rows: Row[]; isTruncated: boolean }> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let pageNumber = 0; pageNumber < 10; pageNumber += 1) {
    const response = await request<ListResponse<Row>>('GET', path, { query: { limit: 200, cursor } })
    rows.push(...response.data)
    if (response.cursor === null) return { rows, isTruncated: false }
    cursor = response.cursor
  }
  return { rows, isTruncated: true }
}

export function useTeams() {
  return useQuery({
    queryKey: [...operatorQueryKey, 'teams'],
    queryFn: () => fetchAll<OperatorTeam>('/v2/operator/teams'),
  })
}

export function useKeys() {
  return useQuery({
    queryKey: [...operatorQueryKey, 'keys'],
    queryFn: () => fetchAll<OperatorKey>('/v2/operator/keys'),
  })
}

export function useOverview() {
  return useQuery({
    queryKey: [...operatorQueryKey, 'overview'],
    queryFn: async () => (await request<GetOperatorOverviewResponse>('GET', '/v2/operator/overview')).data,
  })
}

/** Creates a team, or updates the team with the given id. */
export function useSetTeam(id: string | undefined) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TeamSettings) =>
      request<PostOperatorTeamsByIdResponse>(
        'POST',
        id === undefined ? '/v2/operator/teams' : apiPath('/v2/operator/teams/{id}', { id }),
        { body },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: operatorQueryKey }),
  })
}

export function useDeleteTeam() {
  const queries = useQueryClient()
  return async (id: string) => {
    await request('DELETE', apiPath('/v2/operator/teams/{id}', { id }))
    await queries.invalidateQueries({ queryKey: operatorQueryKey })
  }
}

export function useCreateKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { teamId: string; operator: boolean }) =>
      request<PostOperatorKeysResponse>('POST', '/v2/operator/keys', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: operatorQueryKey }),
  })
}

export function useRevokeKey() {
  const queries = useQueryClient()
  return async (id: string) => {
    await request('DELETE', apiPath('/v2/operator/keys/{id}', { id }))
    await queries.invalidateQueries({ queryKey: operatorQueryKey })
  }
}

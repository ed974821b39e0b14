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

const all = ['operator']

interface ListPage<Row> {
  data: Row[]
  cursor: string | null
}

/** Installations have few teams and keys: the first ten pages are read, one after the other. */
async function readAll<Row>(path: string): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let page = 0; page < 10; page += 1) {
    const answer = await request<ListPage<Row>>('GET', path, { query: { limit: 200, cursor } })
    rows.push(...answer.data)
    if (answer.cursor === null) return { rows, isCut: false }
    cursor = answer.cursor
  }
  return { rows, isCut: true }
}

export function useTeams() {
  return useQuery({
    queryKey: [...all, 'teams'],
    queryFn: () => readAll<OperatorTeam>('/v2/operator/teams'),
  })
}

export function useKeys() {
  return useQuery({ queryKey: [...all, 'keys'], queryFn: () => readAll<OperatorKey>('/v2/operator/keys') })
}

export function useOverview() {
  return useQuery({
    queryKey: [...all, 'overview'],
    queryFn: async () => (await request<GetOperatorOverviewResponse>('GET', '/v2/operator/overview')).data,
  })
}

/** Makes a team, or changes the one with the given id. */
export function useSetTeam(id: string | undefined) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TeamSettings) =>
      request<PostOperatorTeamsByIdResponse>(
        'POST',
        id === undefined ? '/v2/operator/teams' : apiPath('/v2/operator/teams/{id}', { id }),
        { body },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: all }),
  })
}

export function useDeleteTeam() {
  const queries = useQueryClient()
  return async (id: string) => {
    await request('DELETE', apiPath('/v2/operator/teams/{id}', { id }))
    await queries.invalidateQueries({ queryKey: all })
  }
}

export function useCreateKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { teamId: string; operator: boolean }) =>
      request<PostOperatorKeysResponse>('POST', '/v2/operator/keys', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: all }),
  })
}

export function useRevokeKey() {
  const queries = useQueryClient()
  return async (id: string) => {
    await request('DELETE', apiPath('/v2/operator/keys/{id}', { id }))
    await queries.invalidateQueries({ queryKey: all })
  }
}

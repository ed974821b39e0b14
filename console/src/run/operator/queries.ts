import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/request.ts'

export interface OperatorTeam {
  id: string
  name: string
  balance: number | null
  unlimited: boolean
  concurrency: number
  hasDefaultConcurrency: boolean
  zeroDataRetention: boolean
  signsWebhooks: boolean
  keys: number
  creditsUsed: number
  createdAt: string
}

export interface OperatorKey {
  id: string
  hint: string
  team: { id: string; name: string }
  isOperator: boolean
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export interface Overview {
  version: string
  uptimeSeconds: number
  queue: Record<'queued' | 'running' | 'held', Record<string, number>>
  slotsTaken: number
  storage: { databaseBytes: number | null; freeBytes: number | null }
  health: { isReady: boolean; parts: Record<string, string> }
  teams: { id: string; name: string; running: number; concurrency: number }[]
}

export interface TeamSettings {
  name?: string
  credits?: number
  unlimited?: boolean
  concurrency?: number | null
  zeroDataRetention?: boolean
  webhookSecret?: 'new' | 'off'
}

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
    queryFn: async () => (await request<{ data: Overview }>('GET', '/v2/operator/overview')).data,
  })
}

/** Makes a team, or changes the one with the given id. */
export function useSetTeam(id: string | undefined) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TeamSettings) =>
      request<{ data: OperatorTeam; webhookSecret?: string }>(
        'POST',
        id === undefined ? '/v2/operator/teams' : `/v2/operator/teams/${encodeURIComponent(id)}`,
        { body },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: all }),
  })
}

export function useMakeKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { teamId: string; operator: boolean }) =>
      request<{ key: string; data: OperatorKey }>('POST', '/v2/operator/keys', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: all }),
  })
}

export function useRevokeKey() {
  const queries = useQueryClient()
  return async (id: string) => {
    await request('DELETE', `/v2/operator/keys/${encodeURIComponent(id)}`)
    await queries.invalidateQueries({ queryKey: all })
  }
}

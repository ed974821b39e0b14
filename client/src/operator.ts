import { apiPath } from './api-path.ts'
import { read } from './call-defaults.ts'
import { WinnowError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'
import type {
  GetOperatorKeysResponse,
  GetOperatorOverviewResponse,
  GetOperatorTeamsResponse,
  OperatorKey,
  OperatorTeam,
  PostOperatorKeysRequest,
  PostOperatorKeysResponse,
  PostOperatorTeamsByIdRequest,
  PostOperatorTeamsByIdResponse,
  PostOperatorTeamsRequest,
  PostOperatorTeamsResponse,
} from './types.ts'

export interface ListOptions {
  limit?: number
  /** Cursor of the previous response. */
  cursor?: string
}

export type TeamOptions = Omit<PostOperatorTeamsRequest, 'name'>
export type TeamChanges = PostOperatorTeamsByIdRequest
export type InstallationOverview = GetOperatorOverviewResponse['data']

/** Manages teams and keys of the installation. Requires an operator key. */
export interface Operator {
  overview(call?: CallOptions): Promise<InstallationOverview>
  teams(options?: ListOptions, call?: CallOptions): Promise<Omit<GetOperatorTeamsResponse, 'success'>>
  /** Creates a team without a key. */
  createTeam(name: string, options?: TeamOptions, call?: CallOptions): Promise<OperatorTeam>
  /** Updates a team. `webhookSecret` is returned only if a new secret was requested, and only once. */
  changeTeam(
    teamId: string,
    changes: TeamChanges,
    call?: CallOptions,
  ): Promise<{ team: OperatorTeam; webhookSecret?: string }>
  keys(
    options?: ListOptions & { teamId?: string },
    call?: CallOptions,
  ): Promise<Omit<GetOperatorKeysResponse, 'success'>>
  /** Creates a key. The key itself is returned only once. */
  createKey(
    teamId: string,
    options?: Omit<PostOperatorKeysRequest, 'teamId'>,
    call?: CallOptions,
  ): Promise<{ key: string; facts: OperatorKey }>
  revokeKey(keyId: string, call?: CallOptions): Promise<void>
}

export function createOperator(transport: Transport): Operator {
  const post = async <ResponseBody>(path: string, body: unknown, call?: CallOptions) =>
    (await transport.call({ method: 'POST', path, body, retry: 'unstarted' }, call)) as ResponseBody
  return {
    async overview(call) {
      return (await read<GetOperatorOverviewResponse>(transport, '/v2/operator/overview', {}, call)).data
    },
    async teams(options = {}, call) {
      const response = await read<GetOperatorTeamsResponse>(
        transport,
        '/v2/operator/teams',
        { ...options },
        call,
      )
      const { success: _, ...list } = response
      return list
    },
    async createTeam(name, options = {}, call) {
      const body = { ...options, name }
      return (await post<PostOperatorTeamsResponse>('/v2/operator/teams', body, call)).data
    },
    async changeTeam(teamId, changes, call) {
      const path = apiPath('/v2/operator/teams/{teamId}', { teamId })
      const { data, webhookSecret } = await post<PostOperatorTeamsByIdResponse>(path, changes, call)
      return { team: data, ...(webhookSecret === undefined ? {} : { webhookSecret }) }
    },
    async keys(options = {}, call) {
      const response = await read<GetOperatorKeysResponse>(
        transport,
        '/v2/operator/keys',
        { ...options },
        call,
      )
      const { success: _, ...list } = response
      return list
    },
    async createKey(teamId, options = {}, call) {
      const body = { ...options, teamId }
      const { key, data } = await post<PostOperatorKeysResponse>('/v2/operator/keys', body, call)
      return { key, facts: data }
    },
    async revokeKey(keyId, call) {
      const path = apiPath('/v2/operator/keys/{keyId}', { keyId })
      try {
        await transport.call({ method: 'DELETE', path, retry: 'always' }, call)
      } catch (thrown) {
        // An earlier attempt revoked the key, but its response was lost.
        if (!(thrown instanceof WinnowError && thrown.code === 'KEY_NOT_FOUND' && thrown.attempts > 1))
          throw thrown
      }
    },
  }
}

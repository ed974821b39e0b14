import type { Team } from '../accounts/team.ts'
import type { Log } from '../base/log.ts'
import { type CallEndpointNeeds, callEndpoint } from '../http/call-endpoint.ts'
import type { Unfinished } from '../http/unfinished.ts'
import type { ToolCall } from './tool.ts'

export interface McpNeeds extends CallEndpointNeeds {
  log: Log
  unfinished: Pick<Unfinished, 'holdFile'>
  version: string
}

/** Who sent the request that is served. */
export interface Caller {
  team: Team
  requestId: string
  /** Aborts when the connection is gone. */
  gone: AbortSignal
  /** What aborts when this request, by its id in the protocol, is cancelled by another one. */
  cancelled(id: string | number): AbortSignal
}

/** Calls endpoints with the caller's team. */
export function callAs(needs: McpNeeds, { team }: Caller, signal: AbortSignal): ToolCall<unknown>['call'] {
  return (endpoint, sent) => callEndpoint(needs, endpoint, { ...sent, team, signal })
}

import type { Team } from '../accounts/team.ts'
import type { AgentRequest } from '../features/agent/schema.ts'
import { startAgent } from '../features/agent/start.ts'
import { listAgents, readAgent } from '../features/agent/status.ts'
import { readThread } from '../features/agent/threads.ts'
import { readSnapshot, readTrace } from '../features/agent/trace.ts'
import { pageRequest } from '../features/gather/page-request.ts'
import { mostPrice } from '../features/scrape/price.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Bound } from './needs.ts'

type AgentBound = Pick<
  Bound,
  'store' | 'blobs' | 'clock' | 'guard' | 'hasEnhancedProxy' | 'kinds' | 'queue' | 'models' | 'retentionHours'
>

export function agentUseCases(bound: AgentBound) {
  const find = (team: Team, id: string) => bound.queue.findOwn(team, id, 'agent')
  return {
    async start(team: Team, request: AgentRequest, idempotencyKey: string | undefined) {
      await checkReceiver(bound.guard, request.webhook)
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      const price = mostPrice(page, bound.hasEnhancedProxy)
      const needs = { ...bound, step: bound.kinds.agentStep, hasModel: bound.models(team.id) !== undefined }
      return startAgent(needs, team, { request, price, idempotencyKey })
    },
    status: async (team: Team, id: string) => readAgent(bound, await find(team, id)),
    async cancel(team: Team, id: string) {
      await bound.queue.cancel(await find(team, id))
    },
    list: (team: Team, before: number | undefined) => listAgents(bound, team, before),
    trace: async (team: Team, id: string) => readTrace(bound, await find(team, id)),
    snapshot: async (team: Team, id: string, snapshotId: string) =>
      readSnapshot(bound, await find(team, id), snapshotId),
    thread: (team: Team, which: { id: string; includeData: boolean }) => readThread(bound, team, which),
  }
}

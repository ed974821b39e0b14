import type { Team } from '../accounts/team.ts'
import { agentEvent } from '../features/agent/event.ts'
import {
  type DeliveryQuery,
  deliveryDetails,
  documentOf,
  fireTest,
  listTeamDeliveries,
  replay,
} from '../features/deliveries.ts'
import { extractEvent } from '../features/extract/event.ts'
import type { DeliveryRow } from '../store/deliveries.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Webhook } from '../webhooks/schema.ts'
import type { Bound } from './needs.ts'

/** The use cases of webhooks. */
export function deliveryUseCases(bound: Pick<Bound, 'store' | 'blobs' | 'clock' | 'guard' | 'queue'>) {
  /** What an event is about: a page, or what an extract or an agent came to. */
  function aboutOf(row: DeliveryRow): Promise<unknown> {
    const { child_id: id, event } = row
    if (id !== null && event.startsWith('agent.')) return agentEvent(bound, { id, event })
    return event === 'extract.completed' ? extractEvent(bound, row.job_id) : documentOf(bound, row)
  }
  return {
    deliveries: (team: Team, page: DeliveryQuery) => listTeamDeliveries(bound, team, page),
    delivery: (team: Team, id: string) => deliveryDetails(bound, { team, id }, aboutOf),
    replayDelivery: (team: Team, id: string) => replay(bound, team, id),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(bound.guard, webhook)
      return fireTest(bound, team, webhook)
    },
    documentOf: aboutOf,
  }
}

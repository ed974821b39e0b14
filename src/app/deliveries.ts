import type { Team } from '../accounts/team.ts'
import {
  type DeliveryQuery,
  documentOf,
  fireTest,
  listTeamDeliveries,
  replay,
} from '../features/deliveries.ts'
import type { DeliveryRow } from '../store/deliveries.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Webhook } from '../webhooks/schema.ts'
import type { Bound } from './needs.ts'

/** The use cases of webhooks. */
export function deliveryUseCases(bound: Pick<Bound, 'store' | 'clock' | 'guard' | 'queue'>) {
  return {
    deliveries: (team: Team, page: DeliveryQuery) => listTeamDeliveries(bound, team, page),
    replayDelivery: (team: Team, id: string) => replay(bound, team, id),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(bound.guard, webhook)
      return fireTest(bound, team, webhook)
    },
    documentOf: (row: DeliveryRow) => documentOf(bound, row),
  }
}

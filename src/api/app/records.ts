import { revokeKeyOrThrow } from '../../accounts/keys.ts'
import type { Team } from '../../accounts/team.ts'
import { agentEvent } from '../../features/agent/agent.ts'
import { crawlFacts } from '../../features/crawl/crawl-summary.ts'
import {
  deliveryDetails,
  documentOf,
  fireTest,
  listTeamDeliveries,
  replay,
} from '../../features/deliveries.ts'
import { extractEvent } from '../../features/extract/extract.ts'
import { getJobTrace } from '../../features/job-trace.ts'
import { readOverview } from '../../features/operator/overview.ts'
import {
  createTeamAccount,
  createTeamKey,
  deleteTeam,
  listTeamAccounts,
  listTeamKeys,
  updateTeamAccount,
} from '../../features/operator/teams.ts'
import { readTrackedPage, trackedDifference, trackedPages } from '../../features/tracked-pages.ts'
import {
  creditHistory,
  creditUsage,
  dailyUsage,
  getCurrentTeam,
  listTeamActivity,
  modelTokenHistory,
  modelTokens,
  queueStatus,
} from '../../features/usage.ts'
import { checkReceiver } from '../../features/webhooks/outbox.ts'
import type { Webhook } from '../../features/webhooks/schema.ts'
import type { DeliveryRow } from '../../store/deliveries.ts'
import { bindAll, type UseCaseDeps } from './needs.ts'

export function recordUseCases(
  useCaseDeps: UseCaseDeps,
  endSession: (team: Team, id: string) => Promise<unknown>,
) {
  const { store } = useCaseDeps
  const deps = { ...useCaseDeps, crawlFacts, endSession }
  return {
    ...bindAll(deps, {
      activity: listTeamActivity,
      creditHistory,
      creditUsage,
      dailyUsage,
      modelTokenHistory,
      jobTrace: getJobTrace,
      queueStatus,
      readTrackedPage,
      trackedDifference,
      trackedPages,
      whoAmI: getCurrentTeam,
    }),
    modelTokens: (team: Team) => modelTokens(useCaseDeps, team, useCaseDeps.modelTokensPerDay),
    operators: {
      ...bindAll(deps, {
        teams: listTeamAccounts,
        makeTeam: createTeamAccount,
        changeTeam: updateTeamAccount,
        deleteTeam,
        keys: listTeamKeys,
        makeKey: createTeamKey,
        overview: readOverview,
      }),
      revokeKey: (id: string) => revokeKeyOrThrow(store, id, useCaseDeps.clock.now()),
    },
  }
}

export function deliveryUseCases(useCaseDeps: UseCaseDeps) {
  function getEventSubject(row: DeliveryRow): Promise<unknown> {
    const { child_id: id, event } = row
    if (id !== null && event.startsWith('agent.')) return agentEvent(useCaseDeps, { id, event })
    return event === 'extract.completed'
      ? extractEvent(useCaseDeps, row.job_id)
      : documentOf(useCaseDeps, row)
  }
  return {
    ...bindAll(useCaseDeps, { deliveries: listTeamDeliveries, replayDelivery: replay }),
    delivery: (team: Team, id: string) => deliveryDetails(useCaseDeps, { team, id }, getEventSubject),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(useCaseDeps.guard, webhook)
      return fireTest(useCaseDeps, team, webhook)
    },
    documentOf: getEventSubject,
  }
}

import { revokeKeyOrThrow } from '../../accounts/keys.ts'
import type { Team } from '../../accounts/team.ts'
import { agentEvent } from '../../features/agent/agent.ts'
import { crawlFacts } from '../../features/crawl/crawl-summary.ts'
import {
  type DeliveryQuery,
  deliveryDetails,
  documentOf,
  fireTest,
  listTeamDeliveries,
  replay,
} from '../../features/deliveries.ts'
import { extractEvent } from '../../features/extract/extract.ts'
import { getJobTrace } from '../../features/job-trace.ts'
import { readOverview } from '../../features/operator/overview.ts'
import type { NewKey, NewTeam, Page, TeamChanges } from '../../features/operator/schema.ts'
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
  type TimeRange,
} from '../../features/usage.ts'
import { checkReceiver } from '../../features/webhooks/outbox.ts'
import type { Webhook } from '../../features/webhooks/schema.ts'
import type { DeliveryRow } from '../../store/deliveries.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import type { UseCaseDeps } from './needs.ts'

/** Use cases for job traces. */
export function jobTraceUseCases({ store }: UseCaseDeps) {
  const deps = { store, crawlFacts: (row: JobRow) => crawlFacts(store, row) }
  return { jobTrace: (team: Team, id: string) => getJobTrace(deps, team, id) }
}

/** Use cases for tracked pages: pages whose changes a team follows. */
export function trackedPageUseCases(useCaseDeps: UseCaseDeps) {
  return {
    trackedPages: (team: Team, page: Parameters<typeof trackedPages>[2]) =>
      trackedPages(useCaseDeps, team, page),
    trackedPage: (team: Team, id: string) => readTrackedPage(useCaseDeps, team, id),
    trackedDifference: (team: Team, query: Parameters<typeof trackedDifference>[2]) =>
      trackedDifference(useCaseDeps, team, query),
  }
}

/** Use cases for the activity, credits and usage of a team. */
export function usageUseCases(useCaseDeps: UseCaseDeps) {
  return {
    activity: (team: Team, page: Parameters<typeof listTeamActivity>[2]) =>
      listTeamActivity(useCaseDeps, team, page),
    creditUsage: (team: Team) => creditUsage(useCaseDeps, team),
    creditHistory: (team: Team, options: { range: TimeRange; byApiKey: boolean }) =>
      creditHistory(useCaseDeps, team, options),
    modelTokens: (team: Team) => modelTokens(useCaseDeps, team, useCaseDeps.modelTokensPerDay),
    modelTokenHistory: (team: Team, range: TimeRange) => modelTokenHistory(useCaseDeps, team, range),
    dailyUsage: (team: Team, days: number) => dailyUsage(useCaseDeps, team, days),
    whoAmI: (team: Team) => getCurrentTeam(useCaseDeps, team),
    queueStatus: (team: Team) => queueStatus(useCaseDeps, team),
  }
}

/** Use cases for webhooks. */
export function deliveryUseCases(useCaseDeps: UseCaseDeps) {
  /** Returns the subject of an event: a page, or the result of an extract or an agent. */
  function getEventSubject(row: DeliveryRow): Promise<unknown> {
    const { child_id: id, event } = row
    if (id !== null && event.startsWith('agent.')) return agentEvent(useCaseDeps, { id, event })
    return event === 'extract.completed'
      ? extractEvent(useCaseDeps, row.job_id)
      : documentOf(useCaseDeps, row)
  }
  return {
    deliveries: (team: Team, page: DeliveryQuery) => listTeamDeliveries(useCaseDeps, team, page),
    delivery: (team: Team, id: string) => deliveryDetails(useCaseDeps, { team, id }, getEventSubject),
    replayDelivery: (team: Team, id: string) => replay(useCaseDeps, team, id),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(useCaseDeps.guard, webhook)
      return fireTest(useCaseDeps, team, webhook)
    },
    documentOf: getEventSubject,
  }
}

type EndSession = (team: Team, id: string) => Promise<unknown>

/** Use cases for operators of the installation. */
export function operatorUseCases(useCaseDeps: UseCaseDeps, endSession: EndSession) {
  return {
    teams: (page: Page) => listTeamAccounts(useCaseDeps, page),
    makeTeam: (newTeam: NewTeam) => createTeamAccount(useCaseDeps, newTeam),
    changeTeam: (id: string, changes: TeamChanges) => updateTeamAccount(useCaseDeps, id, changes),
    deleteTeam: (id: string) => deleteTeam({ ...useCaseDeps, endSession }, id),
    keys: (page: Page & { teamId?: string | undefined }) => listTeamKeys(useCaseDeps, page),
    makeKey: (newKey: NewKey) => createTeamKey(useCaseDeps, newKey),
    revokeKey: (id: string) => revokeKeyOrThrow(useCaseDeps.store, id, useCaseDeps.clock.now()),
    overview: () => readOverview(useCaseDeps),
  }
}

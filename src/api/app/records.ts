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
  revokeTeamKey,
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
export function trackedPageUseCases(bound: UseCaseDeps) {
  return {
    trackedPages: (team: Team, page: Parameters<typeof trackedPages>[2]) => trackedPages(bound, team, page),
    trackedPage: (team: Team, id: string) => readTrackedPage(bound, team, id),
    trackedDifference: (team: Team, query: Parameters<typeof trackedDifference>[2]) =>
      trackedDifference(bound, team, query),
  }
}

/** Use cases for the activity, credits and usage of a team. */
export function usageUseCases(bound: UseCaseDeps) {
  return {
    activity: (team: Team, page: Parameters<typeof listTeamActivity>[2]) =>
      listTeamActivity(bound, team, page),
    creditUsage: (team: Team) => creditUsage(bound, team),
    creditHistory: (team: Team, options: { range: TimeRange; byApiKey: boolean }) =>
      creditHistory(bound, team, options),
    modelTokens: (team: Team) => modelTokens(bound, team, bound.modelTokensPerDay),
    modelTokenHistory: (team: Team, range: TimeRange) => modelTokenHistory(bound, team, range),
    dailyUsage: (team: Team, days: number) => dailyUsage(bound, team, days),
    whoAmI: (team: Team) => getCurrentTeam(bound, team),
    queueStatus: (team: Team) => queueStatus(bound, team),
  }
}

/** Use cases for webhooks. */
export function deliveryUseCases(bound: UseCaseDeps) {
  /** Returns the subject of an event: a page, or the result of an extract or an agent. */
  function getEventSubject(row: DeliveryRow): Promise<unknown> {
    const { child_id: id, event } = row
    if (id !== null && event.startsWith('agent.')) return agentEvent(bound, { id, event })
    return event === 'extract.completed' ? extractEvent(bound, row.job_id) : documentOf(bound, row)
  }
  return {
    deliveries: (team: Team, page: DeliveryQuery) => listTeamDeliveries(bound, team, page),
    delivery: (team: Team, id: string) => deliveryDetails(bound, { team, id }, getEventSubject),
    replayDelivery: (team: Team, id: string) => replay(bound, team, id),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(bound.guard, webhook)
      return fireTest(bound, team, webhook)
    },
    documentOf: getEventSubject,
  }
}

type EndSession = (team: Team, id: string) => Promise<unknown>

/** Use cases for operators of the installation. */
export function operatorUseCases(bound: UseCaseDeps, endSession: EndSession) {
  return {
    teams: (page: Page) => listTeamAccounts(bound, page),
    makeTeam: (newTeam: NewTeam) => createTeamAccount(bound, newTeam),
    changeTeam: (id: string, changes: TeamChanges) => updateTeamAccount(bound, id, changes),
    deleteTeam: (id: string) => deleteTeam({ ...bound, endSession }, id),
    keys: (page: Page & { teamId?: string | undefined }) => listTeamKeys(bound, page),
    makeKey: (newKey: NewKey) => createTeamKey(bound, newKey),
    revokeKey: (id: string) => revokeTeamKey(bound, id),
    overview: () => readOverview(bound),
  }
}

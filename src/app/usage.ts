import type { Team } from '../accounts/team.ts'
import { listTeamActivity } from '../features/activity.ts'
import { dailyUsage } from '../features/daily-usage.ts'
import {
  creditHistory,
  creditUsage,
  modelTokenHistory,
  modelTokens,
  queueStatus,
  type TimeRange,
} from '../features/usage.ts'
import { whoAmI } from '../features/who-am-i.ts'
import type { Bound } from './needs.ts'

/** What a team sees of its own calls, credits and jobs. */
export function usageUseCases(bound: Pick<Bound, 'store' | 'clock' | 'modelTokensPerDay'>) {
  return {
    activity: (team: Team, page: Parameters<typeof listTeamActivity>[2]) =>
      listTeamActivity(bound, team, page),
    creditUsage: (team: Team) => creditUsage(bound, team),
    creditHistory: (team: Team, options: { range: TimeRange; byApiKey: boolean }) =>
      creditHistory(bound, team, options),
    modelTokens: (team: Team) => modelTokens(bound, team, bound.modelTokensPerDay),
    modelTokenHistory: (team: Team, range: TimeRange) => modelTokenHistory(bound, team, range),
    dailyUsage: (team: Team, days: number) => dailyUsage(bound, team, days),
    whoAmI: (team: Team) => whoAmI(bound, team),
    queueStatus: (team: Team) => queueStatus(bound, team),
  }
}

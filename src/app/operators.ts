import type { Team } from '../accounts/team.ts'
import { deleteTeam } from '../features/operator/delete-team.ts'
import { keysOf, makeKey, revokeKeyOf } from '../features/operator/keys.ts'
import { overviewOf } from '../features/operator/overview.ts'
import type { NewKey, NewTeam, Page, TeamChanges } from '../features/operator/schema.ts'
import { changeTeamOf, makeTeam, teamsOf } from '../features/operator/teams.ts'
import type { Bound } from './needs.ts'

export type OperatorBound = Pick<
  Bound,
  'store' | 'clock' | 'version' | 'teamConcurrency' | 'teamCredits' | 'webhookSecret' | 'condition' | 'queue'
>

type EndSession = (team: Team, id: string) => Promise<unknown>

/** What those who run the installation see and change. */
export function operatorUseCases(bound: OperatorBound, endSession: EndSession) {
  return {
    teams: (page: Page) => teamsOf(bound, page),
    makeTeam: (wanted: NewTeam) => makeTeam(bound, wanted),
    changeTeam: (id: string, changes: TeamChanges) => changeTeamOf(bound, id, changes),
    deleteTeam: (id: string) => deleteTeam({ ...bound, endSession }, id),
    keys: (page: Page & { teamId?: string | undefined }) => keysOf(bound, page),
    makeKey: (wanted: NewKey) => makeKey(bound, wanted),
    revokeKey: (id: string) => revokeKeyOf(bound, id),
    overview: () => overviewOf(bound),
  }
}

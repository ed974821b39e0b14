import { keysOf, makeKey, revokeKeyOf } from '../features/operator/keys.ts'
import { overviewOf } from '../features/operator/overview.ts'
import type { NewKey, NewTeam, Page, TeamChanges } from '../features/operator/schema.ts'
import { changeTeamOf, makeTeam, teamsOf } from '../features/operator/teams.ts'
import type { Bound } from './needs.ts'

export type OperatorBound = Pick<
  Bound,
  'store' | 'clock' | 'version' | 'teamConcurrency' | 'teamCredits' | 'condition'
>

/** What those who run the installation see and change. */
export function operatorUseCases(bound: OperatorBound) {
  return {
    teams: (page: Page) => teamsOf(bound, page),
    makeTeam: (wanted: NewTeam) => makeTeam(bound, wanted),
    changeTeam: (id: string, changes: TeamChanges) => changeTeamOf(bound, id, changes),
    keys: (page: Page & { teamId?: string | undefined }) => keysOf(bound, page),
    makeKey: (wanted: NewKey) => makeKey(bound, wanted),
    revokeKey: (id: string) => revokeKeyOf(bound, id),
    overview: () => overviewOf(bound),
  }
}

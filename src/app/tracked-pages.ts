import type { Team } from '../accounts/team.ts'
import { trackedDifference, trackedPage, trackedPages } from '../features/tracked-pages.ts'
import type { Bound } from './needs.ts'

/** The pages whose changes a team follows. */
export function trackedPageUseCases(bound: Pick<Bound, 'store' | 'blobs' | 'reader'>) {
  return {
    trackedPages: (team: Team, page: Parameters<typeof trackedPages>[2]) => trackedPages(bound, team, page),
    trackedPage: (team: Team, id: string) => trackedPage(bound, team, id),
    trackedDifference: (team: Team, asked: Parameters<typeof trackedDifference>[2]) =>
      trackedDifference(bound, team, asked),
  }
}

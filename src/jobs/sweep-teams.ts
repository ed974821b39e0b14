import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { nextTurn } from '../base/next-turn.ts'
import { quietDeletedTeams, removeSomeOfTeam, removeTeam } from '../store/deleted-teams.ts'
import type { Store } from '../store/schema.ts'

export interface SweepTeamNeeds {
  store: Store
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
  /** Removes the pages of a team from the search index. */
  forgetPages: (teamId: string) => Promise<void>
}

/** A call that has ended may still write what it fetched; nothing of that shall outlive its team. */
const lateWritesMs = 10 * 60_000

/**
 * Removes the rows of deleted teams, once nothing of theirs runs: some at a time, so that no delete holds the store. Their
 * blobs are noted with each row. A failure for one team does not stop the others; the next sweep tries it again.
 */
export async function sweepDeletedTeams(needs: SweepTeamNeeds): Promise<void> {
  const { store, clock, log } = needs
  for (const id of await quietDeletedTeams(store.query, clock.now() - lateWritesMs)) {
    try {
      await sweepTeam(needs, id)
    } catch (cause) {
      log.warn({ cause, team: id }, 'a deleted team could not be removed; the next sweep tries again')
    }
  }
}

async function sweepTeam({ store, forgetPages }: SweepTeamNeeds, id: string): Promise<void> {
  while (await removeSomeOfTeam(store.query, id)) await nextTurn()
  // After the pages that waited to be indexed.
  await forgetPages(id)
  await removeTeam(store.query, id)
}

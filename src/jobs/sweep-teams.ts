import type { Clock } from '../base/clock.ts'
import type { Blobs } from '../ports/blobs.ts'
import { quietDeletedTeams, removeSomeOfTeam, removeTeam } from '../store/deleted-teams.ts'
import type { Store } from '../store/schema.ts'

export interface SweepTeamNeeds {
  store: Store
  blobs: Blobs
  clock: Pick<Clock, 'now'>
  /** Removes the pages of a team from the search index. */
  forgetPages: (teamId: string) => Promise<void>
}

/** A call that has ended may still write what it fetched; nothing of that shall outlive its team. */
const lateWritesMs = 10 * 60_000

/** Removes what deleted teams had, once nothing of theirs runs: some at a time, so that no delete holds the store. */
export async function sweepDeletedTeams({ store, blobs, clock, forgetPages }: SweepTeamNeeds): Promise<void> {
  for (const id of await quietDeletedTeams(store.query, clock.now() - lateWritesMs)) {
    let removed = await removeSomeOfTeam(store.query, id)
    while (removed) {
      for (const blob of removed) await blobs.delete(blob)
      removed = await removeSomeOfTeam(store.query, id)
    }
    // After the pages that waited to be indexed.
    await forgetPages(id)
    await removeTeam(store.query, id)
  }
}

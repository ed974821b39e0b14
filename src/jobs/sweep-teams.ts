import type { Blobs } from '../ports/blobs.ts'
import { emptyDeletedTeams, removeSomeOfTeam } from '../store/deleted-teams.ts'
import type { Store } from '../store/schema.ts'

/** Removes what deleted teams had, once nothing of theirs runs: some at a time, so that no delete holds the store. */
export async function sweepDeletedTeams({ store, blobs }: { store: Store; blobs: Blobs }): Promise<void> {
  for (const id of await emptyDeletedTeams(store.query)) {
    let removed = await removeSomeOfTeam(store.query, id)
    while (removed) {
      for (const blob of removed) await blobs.delete(blob)
      removed = await removeSomeOfTeam(store.query, id)
    }
  }
}

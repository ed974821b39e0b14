import type { Team } from '../accounts/team.ts'
import { findKey } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'
import { findUnindexedTeams } from '../store/teams.ts'

/** The team and the key of a call. */
export async function whoAmI({ store }: { store: Store }, team: Team) {
  const key = team.keyId === null ? undefined : await findKey(store.query, team.keyId)
  const unindexed = await findUnindexedTeams(store.query, [team.id])
  return {
    team: {
      id: team.id,
      name: team.name,
      concurrency: team.concurrency,
      zeroDataRetention: team.zeroRetention,
      searchIndex: !unindexed.has(team.id),
    },
    keyHint: key?.hint ?? null,
    isOperator: team.isOperator,
  }
}

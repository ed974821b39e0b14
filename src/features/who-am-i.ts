import type { Team } from '../accounts/team.ts'
import { findKey } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'

/** The team and the key of a call. */
export async function whoAmI({ store }: { store: Store }, team: Team) {
  const key = team.keyId === null ? undefined : await findKey(store.query, team.keyId)
  return {
    team: {
      id: team.id,
      name: team.name,
      concurrency: team.concurrency,
      zeroDataRetention: team.zeroRetention,
    },
    keyHint: key?.hint ?? null,
    isOperator: team.isOperator,
  }
}

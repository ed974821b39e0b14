import type { KeyFile } from '../../accounts/key-file.ts'
import { createApiKey, hashKey, issueKey } from '../../accounts/keys.ts'
import { insertTeamWithCredits } from '../../accounts/team-account.ts'
import { findKeyByHash, grantOperator, hasActiveKey } from '../../store/keys.ts'
import type { Store } from '../../store/schema.ts'
import { findFirstTeam } from '../../store/teams.ts'

export interface FirstKeyDeps {
  store: Store
  file: KeyFile
  configuredKey: string | undefined
  credits: number | undefined
}

/** Returns the key only if it was just created, so that it can be shown once. */
export async function ensureFirstKey(deps: FirstKeyDeps): Promise<string | undefined> {
  const team = (await findFirstTeam(deps.store.query)) ?? (await createFirstTeam(deps))
  const key = deps.configuredKey ?? deps.file.read()
  if (key !== undefined) {
    await ensureOperatorKey(deps.store, team.id, key)
    return undefined
  }
  if (await hasActiveKey(deps.store.query)) return undefined
  const newKey = createApiKey()
  deps.file.write(newKey)
  await ensureOperatorKey(deps.store, team.id, newKey)
  return newKey
}

async function createFirstTeam({ store, credits }: FirstKeyDeps) {
  const team = { name: 'default', credits, now: Date.now() }
  try {
    return await store.transaction((transaction) => insertTeamWithCredits(transaction, team))
  } catch (thrown) {
    // Several processes may start on an empty database; only one of them inserts the unique name.
    const team = await findFirstTeam(store.query)
    if (team) return team
    throw thrown
  }
}

async function ensureOperatorKey({ query }: Store, teamId: string, key: string): Promise<void> {
  const stored = await findKeyByHash(query, hashKey(key))
  // The key comes from a version without operator keys.
  if (stored?.is_operator === 0) await grantOperator(query, stored.id)
  if (stored) return
  try {
    await issueKey(query, { teamId, isOperator: true, now: Date.now(), key })
  } catch (thrown) {
    if (!(await findKeyByHash(query, hashKey(key)))) throw thrown
  }
}

import type { KeyFile } from '../../accounts/key-file.ts'
import { createApiKey, hashKey, issueKey } from '../../accounts/keys.ts'
import { insertTeamWithCredits } from '../../accounts/team-account.ts'
import { findKeyByHash, grantOperator, hasActiveKey } from '../../store/keys.ts'
import type { Store } from '../../store/schema.ts'
import { findFirstTeam } from '../../store/teams.ts'

export interface FirstKeyDeps {
  store: Store
  file: KeyFile
  /** API_KEY, if the operator set one. */
  given: string | undefined
  credits: number | undefined
}

/**
 * Ensures that a team exists and a key, which is an operator's: it belongs to the operator of this machine. Returns the key only if
 * it was just created, so that it can be shown once.
 */
export async function ensureFirstKey(deps: FirstKeyDeps): Promise<string | undefined> {
  const team = (await findFirstTeam(deps.store.query)) ?? (await openFirstTeam(deps))
  const key = deps.given ?? deps.file.read()
  if (key !== undefined) {
    await ensure(deps.store, team.id, key)
    return undefined
  }
  if (await hasActiveKey(deps.store.query)) return undefined
  const made = createApiKey()
  deps.file.write(made)
  await ensure(deps.store, team.id, made)
  return made
}

async function openFirstTeam({ store, credits }: FirstKeyDeps) {
  const first = { name: 'default', credits, now: Date.now() }
  try {
    return await store.transaction((transaction) => insertTeamWithCredits(transaction, first))
  } catch (thrown) {
    // Several processes may start together on an empty database: the name is unique, so one of them wins.
    const team = await findFirstTeam(store.query)
    if (team) return team
    throw thrown
  }
}

async function ensure({ query }: Store, teamId: string, key: string): Promise<void> {
  const kept = await findKeyByHash(query, hashKey(key))
  // Made by a version that knew no keys of operators.
  if (kept?.is_operator === 0) await grantOperator(query, kept.id)
  if (kept) return
  try {
    await issueKey(query, { teamId, isOperator: true, now: Date.now(), key })
  } catch (thrown) {
    if (!(await findKeyByHash(query, hashKey(key)))) throw thrown
  }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashKey, hintOf, newKey } from '../accounts/authenticate.ts'
import { appendEntries } from '../store/credits.ts'
import type { Store } from '../store/schema.ts'
import { addKey, createTeam, findFirstTeam, findKeyByHash, hasLivingKey } from '../store/teams.ts'

export interface FirstKeyNeeds {
  store: Store
  dataDir: string
  /** API_KEY, if the operator set one. */
  given: string | undefined
  credits: number | undefined
}

/** Ensures that a team and a key exist. Returns the key only if it was just created, so that it can be shown once. */
export async function ensureFirstKey(needs: FirstKeyNeeds): Promise<string | undefined> {
  const team = (await findFirstTeam(needs.store.query)) ?? (await createFirstTeam(needs))
  const file = join(needs.dataDir, 'api-key')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  const key = needs.given ?? kept
  if (key !== undefined) {
    if (!(await findKeyByHash(needs.store.query, hashKey(key)))) await add(needs.store, team.id, key)
    return undefined
  }
  if (await hasLivingKey(needs.store.query)) return undefined
  const made = newKey()
  mkdirSync(needs.dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${made}\n`, { mode: 0o600 })
  await add(needs.store, team.id, made)
  return made
}

async function createFirstTeam({ store, credits }: FirstKeyNeeds) {
  const now = Date.now()
  try {
    return await store.transaction(async (transaction) => {
      const team = await createTeam(transaction, {
        name: 'default',
        balance: credits === undefined ? null : 0,
        now,
      })
      if (credits !== undefined) {
        const grant = { teamId: team.id, keyId: null, jobId: null, credits, reason: 'first grant', now }
        await appendEntries(transaction, [grant])
      }
      return team
    })
  } catch (thrown) {
    // Several processes may start together on an empty database: the name is unique, so one of them wins.
    const team = await findFirstTeam(store.query)
    if (team) return team
    throw thrown
  }
}

async function add(store: Store, teamId: string, key: string): Promise<void> {
  try {
    await addKey(store.query, { teamId, hash: hashKey(key), hint: hintOf(key), now: Date.now() })
  } catch (thrown) {
    if (!(await findKeyByHash(store.query, hashKey(key)))) throw thrown
  }
}

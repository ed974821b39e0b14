import { hashKey, hintOf, newKey } from '../src/accounts/authenticate.ts'
import { silentLog } from '../src/base/log.ts'
import { openStore } from '../src/compose/store.ts'
import { readSettings } from '../src/settings.ts'
import { appendEntries } from '../src/store/credits.ts'
import { addKey, createTeam } from '../src/store/teams.ts'

/** Makes a team for each name, as the key command does, and answers their keys. A process for each would take minutes. */
export async function createTeams(
  environment: Record<string, string>,
  names: string[],
): Promise<Record<string, string>> {
  const settings = readSettings(environment)
  const { store } = await openStore(settings, silentLog)
  const credits = settings.limits.teamCredits
  const keys: Record<string, string> = {}
  try {
    for (const name of names) {
      const key = newKey()
      const now = Date.now()
      await store.transaction(async (transaction) => {
        const { id: teamId } = await createTeam(transaction, {
          ...{ name, balance: credits === undefined ? null : 0, now },
        })
        const entry = { teamId, keyId: null, jobId: null, reason: 'first grant', now }
        if (credits !== undefined) await appendEntries(transaction, [{ ...entry, credits }])
        await addKey(transaction, { teamId, hash: hashKey(key), hint: hintOf(key), now })
      })
      keys[name] = key
    }
  } finally {
    await store.close()
  }
  return keys
}

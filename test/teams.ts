import { issueKey } from '../src/accounts/keys.ts'
import { insertTeamWithCredits } from '../src/accounts/team-account.ts'
import { readSettings } from '../src/bootstrap/settings.ts'
import { openStore } from '../src/bootstrap/store.ts'
import { silentLog } from '../src/platform/log.ts'

/**
 * Creates a team for each name, as the key command does, and returns the keys. A process for each team would take
 * minutes.
 */
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
      const now = Date.now()
      const { key } = await store.transaction(async (transaction) => {
        const team = await insertTeamWithCredits(transaction, { name, credits, now })
        return issueKey(transaction, { teamId: team.id, isOperator: false, now })
      })
      keys[name] = key
    }
  } finally {
    await store.close()
  }
  return keys
}

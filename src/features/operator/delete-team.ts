import { teamOf } from '../../accounts/authenticate.ts'
import type { Team } from '../../accounts/team.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Queue } from '../../jobs/queue.ts'
import { livingCalls, markTeamDeleted, revokeKeysOfTeam } from '../../store/deleted-teams.ts'
import { countOperatorKeys } from '../../store/keys.ts'
import { lockOperatorKeys } from '../../store/locks.ts'
import type { Store, TeamRow } from '../../store/schema.ts'
import { listSessions } from '../../store/sessions.ts'
import { findTeam } from '../../store/teams.ts'

export interface DeleteTeamNeeds {
  store: Store
  clock: Clock
  queue: Pick<Queue, 'cancel'>
  teamConcurrency: number
  endSession: (team: Team, id: string) => Promise<unknown>
}

/** No team may have as many open. */
const mostSessions = 1000
/** Jobs that can be cancelled; the others end by their own deadline. */
const cancellable = ['crawl', 'batch_scrape', 'extract', 'agent']

/**
 * Ends a team: its keys first, so that nothing new begins; then what it has under way; then the team itself. A caller that
 * is interrupted in between can call again. The rows and blobs are left to the sweeper.
 */
export async function deleteTeam(needs: DeleteTeamNeeds, id: string): Promise<void> {
  const { store, clock } = needs
  const row = await store.transaction(async (transaction) => {
    await lockOperatorKeys(store, transaction)
    const found = await findTeam(transaction, id)
    if (!found) throw new AppError('TEAM_NOT_FOUND')
    await revokeKeysOfTeam(transaction, id, clock.now())
    // Thrown inside the transaction: nothing is revoked then.
    if ((await countOperatorKeys(transaction)) === 0) throw new AppError('LAST_OPERATOR_KEY')
    return found
  })
  await cancelCalls(needs, id)
  await endSessions(needs, row)
  await markTeamDeleted(store.query, id, clock.now())
}

async function cancelCalls({ store, queue }: DeleteTeamNeeds, id: string): Promise<void> {
  for (let rows = await livingCalls(store.query, id, cancellable); rows.length > 0; ) {
    for (const row of rows) {
      await queue.cancel(row).catch((thrown) => {
        if (!(thrown instanceof AppError && thrown.code === 'JOB_ALREADY_ENDED')) throw thrown
      })
    }
    rows = await livingCalls(store.query, id, cancellable)
  }
}

/** A session that cannot be reached ends by its own clock. */
async function endSessions(
  { store, endSession, teamConcurrency }: DeleteTeamNeeds,
  row: TeamRow,
): Promise<void> {
  const team = teamOf(row, { id: null, isOperator: false }, teamConcurrency)
  const open = await listSessions(store.query, { teamId: row.id, status: 'active', most: mostSessions })
  await Promise.allSettled(open.map(({ id }) => endSession(team, id)))
}

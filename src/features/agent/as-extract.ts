import { tokensPerCredit } from '../../accounts/prices.ts'
import type { JobRow } from '../../store/jobs.ts'
import { type AgentStatusNeeds, readAgent } from './status.ts'

/** How an agent stands, in the words of an extract, which knows that a job can be cancelled. */
export async function agentAsExtract(needs: AgentStatusNeeds, row: JobRow) {
  const { data, message, error, code, warning, sources, conflicts, status, expiresAt, creditsUsed } =
    await readAgent(needs, row)
  const given = data ?? message
  return {
    success: status !== 'failed' || row.state === 'cancelled',
    status: row.state === 'cancelled' ? ('cancelled' as const) : status,
    data: given ?? [],
    expiresAt,
    ...(error === undefined ? {} : { error }),
    ...(code === undefined ? {} : { code }),
    ...(warning === undefined ? {} : { warning }),
    ...(sources === undefined ? {} : { sources }),
    ...(conflicts === undefined ? {} : { conflicts }),
    tokensUsed: creditsUsed * tokensPerCredit,
    creditsUsed,
  }
}

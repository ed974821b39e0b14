import { creditsOfChildren } from '../../store/child-jobs.ts'
import { findJob } from '../../store/jobs.ts'
import { jobText } from '../gather/job-text.ts'
import type { ReadingNeeds } from '../gather/read-pages.ts'
import { endOf } from './run.ts'
import { type StepResult, stepKind } from './stored.ts'

/** What a receiver gets for a step of an agent, or for its end. */
export async function agentEvent(needs: ReadingNeeds, { id, event }: { id: string; event: string }) {
  const { query } = needs.store
  const row = await findJob(query, id)
  if (!row) return {}
  const creditsUsed = await creditsOfChildren(query, row.parent_id ?? row.id)
  if (row.kind === stepKind) {
    // Written by that step.
    const step = (await jobText(needs, row)) as StepResult | undefined
    const input = step?.call?.arguments ?? { urls: step?.ordered.map(({ url }) => url) ?? [] }
    return { creditsUsed, action: step?.action ?? 'none', input }
  }
  const end = event === 'agent.completed' ? await endOf(needs, row.id) : undefined
  const data = end?.data ?? end?.message
  return { creditsUsed, ...(data === undefined ? {} : { data }) }
}

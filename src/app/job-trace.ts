import type { Team } from '../accounts/team.ts'
import { crawlFacts } from '../features/crawl/trace-facts.ts'
import { traceOf } from '../features/job-trace.ts'
import type { JobRow } from '../store/jobs.ts'
import type { Bound } from './needs.ts'

/** What is known of how jobs went. */
export function jobTraceUseCases({ store }: Pick<Bound, 'store'>) {
  const needs = { store, crawlFacts: (row: JobRow) => crawlFacts(store, row) }
  return { jobTrace: (team: Team, id: string) => traceOf(needs, team, id) }
}

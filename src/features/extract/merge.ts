import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { listHelperJobs } from '../../store/child-jobs.ts'
import type { Queryable } from '../../store/schema.ts'
import { type GatherNeeds, gatherWork } from '../gather/gather-work.ts'
import { jobText } from '../gather/job-text.ts'
import { type JoinedPages, joinPages } from '../gather/join-pages.ts'
import { type ReadingNeeds, readPages } from '../gather/read-pages.ts'
import { type FindResult, findKind } from './stored.ts'

export interface ExtractResult extends JoinedPages {
  pages: number
}

/** What the pages of an extract say, as one value. */
export async function mergeExtract(
  needs: ReadingNeeds & GatherNeeds,
  job: RunningJob<object>,
  signal: AbortSignal,
): Promise<Outcome<ExtractResult>> {
  const parentId = job.parentId ?? ''
  const found = await foundPages(needs, needs.store.query, parentId)
  const work = gatherWork(needs, job, signal)
  const read = await readPages({ ...needs, work }, parentId, job.giveWay)
  const joined = await joinPages(work, found?.schema ?? {}, read)
  const unpaid = (found?.pages.length ?? 0) - read.length
  const warnings = [
    ...(found?.notes ?? []),
    ...joined.warnings,
    ...(unpaid > 0 ? [`${unpaid} pages were not read because the team's credits were used up.`] : []),
  ]
  return { credits: 0, result: { ...joined, warnings, pages: read.length } }
}

/** What the job that looked for pages has found; undefined where it has not ended well. */
export async function foundPages(
  needs: ReadingNeeds,
  query: Queryable,
  parentId: string,
): Promise<FindResult | undefined> {
  const helpers = await listHelperJobs(query, parentId)
  const row = helpers.find(({ kind, state }) => kind === findKind && state === 'completed')
  if (!row) return undefined
  // Written by that job.
  return (await jobText(needs, row)) as FindResult | undefined
}

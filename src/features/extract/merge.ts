import type { Outcome, RunningJob } from '../../jobs/job.ts'
import {
  type GatherDeps,
  gatherWork,
  helperResult,
  type JoinedPages,
  joinPages,
  type PageReadDeps,
  readPages,
} from '../multi-page/read-pages.ts'
import { type FindResult, findKind } from './stored.ts'

export interface ExtractResult extends JoinedPages {
  pages: number
}

/** What the pages of an extract say, as one value. */
export async function mergeExtract(
  deps: PageReadDeps & GatherDeps,
  job: RunningJob<object>,
  signal: AbortSignal,
): Promise<Outcome<ExtractResult>> {
  const parentId = job.parentId ?? ''
  const found = await foundPages(deps, parentId)
  const work = gatherWork(deps, job, signal)
  const read = await readPages({ ...deps, work }, parentId, job.giveWay)
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
export const foundPages = (deps: PageReadDeps, parentId: string) =>
  helperResult<FindResult>(deps, parentId, findKind)

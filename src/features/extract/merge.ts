import type { Outcome, RunningJob } from '../../jobs/job.ts'
import {
  createSchemaWork,
  type GatherDeps,
  helperResult,
  type MergedPages,
  mergePages,
  type PageReadDeps,
  readPages,
} from '../multi-page/read-pages.ts'
import { type FindResult, findKind } from './stored.ts'

export interface ExtractResult extends MergedPages {
  pages: number
}

/** Merges the values of the pages of an extract. */
export async function mergeExtract(
  deps: PageReadDeps & GatherDeps,
  job: RunningJob<object>,
  signal: AbortSignal,
): Promise<Outcome<ExtractResult>> {
  const parentId = job.parentId ?? ''
  const found = await readFindResult(deps, parentId)
  const work = createSchemaWork(deps, job, signal)
  const pages = await readPages({ ...deps, work }, parentId, job.yieldToForeground)
  const joined = await mergePages(work, found?.schema ?? {}, pages)
  const unpaidCount = (found?.pages.length ?? 0) - pages.length
  const warnings = [
    ...(found?.notes ?? []),
    ...joined.warnings,
    ...(unpaidCount > 0
      ? [`${unpaidCount} pages were not read because the team's credits were used up.`]
      : []),
  ]
  return { credits: 0, result: { ...joined, warnings, pages: pages.length } }
}

/** Returns the result of the find job; undefined if it has not completed. */
export const readFindResult = (deps: PageReadDeps, parentId: string) =>
  helperResult<FindResult>(deps, parentId, findKind)

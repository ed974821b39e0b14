import { tokensPerCredit } from '../../accounts/prices.ts'
import { creditsOfChildren, listHelperJobs, listLeaves } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import type { JobRow } from '../../store/jobs.ts'
import type { Queryable } from '../../store/schema.ts'
import { jobText } from '../gather/job-text.ts'
import type { ReadingNeeds } from '../gather/read-pages.ts'
import { type ExtractResult, foundPages } from './merge.ts'
import type { ExtractStatus } from './schema.ts'
import { extractInput, findKind, mergeKind } from './stored.ts'

export interface StatusNeeds extends ReadingNeeds {
  retentionHours: number
}

/** How an extract stands, read from its jobs. */
export async function readExtract(needs: StatusNeeds, row: JobRow): Promise<ExtractStatus> {
  const { query } = needs.store
  const input = extractInput.read(row.input)
  const credits = await creditsOfChildren(query, row.id)
  const status = shownState(row)
  const error = readError(row.error)
  const result = status === 'completed' ? await mergedOf(needs, row.id) : undefined
  const warnings = [...input.warnings, ...(result?.warnings ?? [])]
  return {
    success: status !== 'failed',
    status,
    data: result?.data ?? [],
    expiresAt: new Date(row.created_at + needs.retentionHours * 3600_000).toISOString(),
    ...(error ? { error: error.error, code: error.code } : {}),
    ...(warnings.length > 0 && status !== 'processing' ? { warning: warnings.join(' ') } : {}),
    ...(result && input.showSources ? { sources: result.sources, conflicts: result.conflicts } : {}),
    steps: await stepsOf(needs, query, row.id),
    ...(input.urlTrace ? { urlTrace: await traceOf(query, row.id, result?.sources ?? {}) } : {}),
    tokensUsed: credits * tokensPerCredit,
    creditsUsed: credits,
  }
}

function shownState({ state }: Pick<JobRow, 'state'>): ExtractStatus['status'] {
  return state === 'held' || state === 'queued' || state === 'running' ? 'processing' : state
}

/** What the pages came to, once they are joined. */
export async function mergedOf(needs: ReadingNeeds, parentId: string): Promise<ExtractResult | undefined> {
  const helpers = await listHelperJobs(needs.store.query, parentId)
  const row = helpers.find(({ kind, state }) => kind === mergeKind && state === 'completed')
  // Written by the job that joined them.
  return row && ((await jobText(needs, row)) as ExtractResult | undefined)
}

async function stepsOf(needs: ReadingNeeds, query: Queryable, parentId: string) {
  const helpers = await listHelperJobs(query, parentId)
  const found = await foundPages(needs, query, parentId)
  const names: Record<string, string> = { [findKind]: 'find', [mergeKind]: 'merge' }
  const leaves = await listLeaves(query, parentId)
  const done = leaves.filter(({ finished_at }) => finished_at !== null).length
  const told = helpers.map(({ kind, state }) => ({
    step: names[kind] ?? kind,
    status: state,
    ...(kind === findKind && found ? { discoveredLinks: found.pages } : {}),
  }))
  const reading = {
    step: 'read',
    status: done === leaves.length ? 'completed' : `${done} of ${leaves.length}`,
  }
  return leaves.length === 0 ? told : [...told.slice(0, 1), reading, ...told.slice(1)]
}

async function traceOf(
  query: Queryable,
  parentId: string,
  sources: Record<string, string[]>,
): Promise<NonNullable<ExtractStatus['urlTrace']>> {
  const used = new Set(Object.values(sources).flat())
  return (await listLeaves(query, parentId)).map(({ target, state, error }) => {
    const url = target ?? ''
    const told = readError(error)?.error
    return {
      url,
      status: state === 'completed' ? 'scraped' : state === 'failed' ? 'error' : 'mapped',
      ...(told === undefined ? {} : { error: told }),
      usedInCompletion: used.has(url),
    }
  })
}

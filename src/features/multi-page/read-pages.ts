import { z } from 'zod'
import type { Conflict, MergeResult } from '../../extraction/merge/merge-pages.ts'
import type { StoredPage } from '../../extraction/merge/stored-page.ts'
import type { PageReader } from '../../extraction/workers/page-reader.ts'
import type { RunningJob } from '../../jobs/job.ts'
import { resultOf } from '../../jobs/queue.ts'
import { AppError, isDamaged } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json/write-json.ts'
import { listHelperJobs, listLeaves } from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import type { Deps } from '../needs.ts'

export type PageReadDeps = Pick<Deps, 'store' | 'blobs'>

type StoredDeps = PageReadDeps & { work: Pick<GatherWork, 'storedPage'> }

export interface ReadPage extends StoredPage {
  id: string
}

/** A larger page is skipped with an error, because it would block all other work. */
const maxBytes = 4 * 1024 * 1024
const maxTotalBytes = 64 * 1024 * 1024

/** Reads the pages of a job in the order of the request, one at a time, because each may be large. */
export async function readPages(deps: StoredDeps, parentId: string, yieldToForeground: () => Promise<void>) {
  const pages: ReadPage[] = []
  let remainingBytes = maxTotalBytes
  for (const { id, target, state, error } of await listLeaves(deps.store.query, parentId)) {
    if (state !== 'completed' && state !== 'failed') continue
    const url = target ?? ''
    if (state === 'failed')
      pages.push({ id, url, warnings: [], error: readError(error)?.error ?? 'It failed.' })
    else {
      const limit = Math.min(remainingBytes, maxBytes)
      const { size, ...page } = await readPageResult(deps, { id, url, limit })
      remainingBytes -= size
      pages.push(page)
    }
    await yieldToForeground()
  }
  return pages
}

async function readPageResult(
  deps: StoredDeps,
  { id, url, limit }: { id: string; url: string; limit: number },
): Promise<ReadPage & { size: number }> {
  const row = await findJob(deps.store.query, id)
  const failWith = (error: string) => ({ id, url, size: 0, warnings: [], error })
  const text = row && (await resultOf(deps, row, { isCheckedFirst: true }).catch(toDamageError))
  if (text instanceof AppError) return failWith(text.message)
  if (!text) return failWith('What was read of it is not kept any more.')
  if (text.size > limit) return failWith('It says more than can be joined with others.')
  return { ...(await deps.work.storedPage(await jsonBytes(text), url)), id, size: text.size }
}

function toDamageError(thrown: unknown): AppError {
  if (isDamaged(thrown)) return thrown
  throw thrown
}

export interface MergedPages {
  data: unknown
  sources: Record<string, string[]>
  conflicts: Conflict[]
  warnings: string[]
}

const maxNamed = 20

export async function mergePages(
  work: Pick<GatherWork, 'merge'>,
  schema: unknown,
  results: readonly ReadPage[],
): Promise<MergedPages> {
  const pages = results.flatMap(({ values }) => values ?? [])
  const merged = await work.merge(schema, pages)
  const { value: data = {}, sources, conflicts } = merged
  return { data, sources, conflicts, warnings: [...buildMergeWarnings(merged), ...warningsOfPages(results)] }
}

function buildMergeWarnings({ missing, borrowed, conflicts, leftOut, unlisted }: MergeResult): string[] {
  const warnings: string[] = []
  if (missing.length > 0) warnings.push(`Not found on any page, and left out: ${formatPaths(missing)}.`)
  if (conflicts.length > 0) {
    const paths = formatPaths(conflicts.map(({ path }) => path))
    warnings.push(`The pages disagree on ${paths}; showSources: true lists every value with its page.`)
  }
  if (borrowed.length > 0)
    warnings.push(
      `The pages name different things; only one about another of them states ${formatPaths(borrowed)}.`,
    )
  if (unlisted.conflicts > 0) warnings.push(`${unlisted.conflicts} more conflicts are not listed.`)
  if (unlisted.sources > 0) warnings.push(`The sources of ${unlisted.sources} more values are not listed.`)
  if (leftOut > 0) warnings.push(`${leftOut} entries of lists were one too many and left out.`)
  return warnings
}

export function warningsOfPages(results: readonly ReadPage[]): string[] {
  const failed = results.filter(({ error }) => error !== undefined)
  const messages = failed.slice(0, maxNamed).map(({ url, error }) => `${url}: ${error}`)
  const more = failed.length > maxNamed ? ` And ${failed.length - maxNamed} more.` : ''
  const pageWarnings = results.flatMap(({ url, warnings }) => warnings.map((warning) => `${url}: ${warning}`))
  const summary = `${failed.length} ${failed.length === 1 ? 'page' : 'pages'} could not be read. ${messages.join(' ')}${more}`
  return [...(failed.length > 0 ? [summary] : []), ...pageWarnings.slice(0, maxNamed)]
}

function formatPaths(paths: readonly string[]): string {
  const more = paths.length - maxNamed
  return paths.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const conflict = z
  .object({
    path: z.string(),
    chosen: z.unknown(),
    values: z.array(
      z.object({
        value: z.unknown(),
        sources: z.array(z.string()),
        reader: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Conflict' })

export const conflicts = z
  .array(conflict)
  .optional()
  .describe('Fields for which pages contain different values: each value with its pages.')

export const valueSources = z
  .record(z.string(), z.array(z.string()))
  .optional()
  .describe('Source pages of each value, by its path.')

export async function jobText<Result>(
  deps: PageReadDeps,
  row: Pick<JobRow, 'id' | 'result' | 'result_blob'>,
): Promise<Result | undefined> {
  // All jobs of a kind store the same type.
  return (await resultOf(deps, row))?.value() as Promise<Result> | undefined
}

export async function helperResult<Result>(deps: PageReadDeps, parentId: string, helperKind: string) {
  const helpers = await listHelperJobs(deps.store.query, parentId)
  const row = helpers.find(({ kind, state }) => kind === helperKind && state === 'completed')
  return row && jobText<Result>(deps, row)
}

export interface GatherDeps {
  reader: Pick<PageReader, 'schema' | 'storedPage' | 'merge'>
}

export function createSchemaWork(
  { reader }: GatherDeps,
  { teamId: team, isBackground }: Pick<RunningJob<unknown>, 'teamId' | 'isBackground'>,
  signal: AbortSignal,
) {
  const options = { who: { team, isBackground }, signal }
  return {
    schema: (schema: unknown) => reader.schema(schema, options),
    storedPage: (document: Uint8Array, url: string) => reader.storedPage(document, url, options),
    merge: (schema: unknown, pages: Uint8Array[]) => reader.merge(schema, pages, options),
  }
}

export type GatherWork = ReturnType<typeof createSchemaWork>

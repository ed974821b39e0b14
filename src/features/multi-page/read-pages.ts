import { z } from 'zod'
import type { Conflict, MergeResult } from '../../extraction/merge/merging.ts'
import type { StoredPage } from '../../extraction/merge/stored-page.ts'
import type { PageReader } from '../../extraction/workers/page-reader.ts'
import type { RunningJob } from '../../jobs/job.ts'
import { resultOf } from '../../jobs/queue.ts'
import { AppError, isDamaged } from '../../platform/errors.ts'
import type { JsonText } from '../../platform/json/json.ts'
import { listHelperJobs, listLeaves } from '../../store/jobs/child-jobs.ts'
import { readError } from '../../store/jobs/job-errors.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import type { Deps } from '../needs.ts'

export type PageReadDeps = Pick<Deps, 'store' | 'blobs'>

interface StoredDeps extends PageReadDeps {
  work: Pick<GatherWork, 'storedPage'>
}

/** One page of a job and what became of it. */
export interface ReadPage extends StoredPage {
  /** Of its job. */
  id: string
}

/** A page whose values are longer is left out and named: it would hold up everything else. */
const maxBytes = 4 * 1024 * 1024
/** The same for all pages together, which are in memory at once. */
const maxBytesTogether = 64 * 1024 * 1024

/** What the pages of a job say, in the order in which they were asked for; one at a time, as each may be long. */
export async function readPages(
  deps: StoredDeps,
  parentId: string,
  giveWay: () => Promise<void>,
): Promise<ReadPage[]> {
  const read: ReadPage[] = []
  let room = maxBytesTogether
  for (const { id, target, state, error } of await listLeaves(deps.store.query, parentId)) {
    if (state !== 'completed' && state !== 'failed') continue
    const url = target ?? ''
    if (state === 'failed')
      read.push({ id, url, warnings: [], error: readError(error)?.error ?? 'It failed.' })
    else {
      const { size, ...page } = await readOne(deps, { id, url, room: Math.min(room, maxBytes) })
      room -= size
      read.push(page)
    }
    await giveWay()
  }
  return read
}

async function readOne(
  deps: StoredDeps,
  { id, url, room }: { id: string; url: string; room: number },
): Promise<ReadPage & { size: number }> {
  const row = await findJob(deps.store.query, id)
  const text = row && (await resultOf(deps, row, { isCheckedFirst: true }).catch(damage))
  if (text instanceof AppError) return { id, url, size: 0, warnings: [], error: text.message }
  if (!text) return { id, url, size: 0, warnings: [], error: 'What was read of it is not kept any more.' }
  if (text.size > room)
    return { id, url, size: 0, warnings: [], error: 'It says more than can be joined with others.' }
  const page = await deps.work.storedPage(await bytesOf(text), url)
  return { ...page, id, size: text.size }
}

/** A page that is damaged is left out and named; the others are read. */
function damage(thrown: unknown): AppError {
  if (isDamaged(thrown)) return thrown
  throw thrown
}

async function bytesOf(text: JsonText): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of text.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What several pages came to. */
export interface JoinedPages {
  data: unknown
  sources: Record<string, string[]>
  conflicts: Conflict[]
  warnings: string[]
}

const maxNamed = 20

/** Pages that were read → one value, its sources, what they disagree on, and what is missing. */
export async function joinPages(
  work: Pick<GatherWork, 'merge'>,
  schema: unknown,
  read: readonly ReadPage[],
): Promise<JoinedPages> {
  const pages = read.flatMap(({ values }) => values ?? [])
  const merged = await work.merge(schema, pages)
  return {
    data: merged.value ?? {},
    sources: merged.sources,
    conflicts: merged.conflicts,
    warnings: [...warningsOfMerge(merged), ...warningsOfPages(read)],
  }
}

function warningsOfMerge({ missing, borrowed, conflicts, leftOut, unlisted }: MergeResult): string[] {
  const warnings: string[] = []
  if (missing.length > 0) warnings.push(`Not found on any page, and left out: ${named(missing)}.`)
  if (conflicts.length > 0) {
    const paths = named(conflicts.map(({ path }) => path))
    warnings.push(`The pages disagree on ${paths}; showSources: true lists every value with its page.`)
  }
  if (borrowed.length > 0)
    warnings.push(
      `The pages name different things; only one about another of them states ${named(borrowed)}.`,
    )
  if (unlisted.conflicts > 0) warnings.push(`${unlisted.conflicts} more conflicts are not listed.`)
  if (unlisted.sources > 0) warnings.push(`The sources of ${unlisted.sources} more values are not listed.`)
  if (leftOut > 0) warnings.push(`${leftOut} entries of lists were one too many and left out.`)
  return warnings
}

export function warningsOfPages(read: readonly ReadPage[]): string[] {
  const failed = read.filter(({ error }) => error !== undefined)
  const told = failed.slice(0, maxNamed).map(({ url, error }) => `${url}: ${error}`)
  const more = failed.length > maxNamed ? ` And ${failed.length - maxNamed} more.` : ''
  const ofModel = read.flatMap(({ url, warnings }) => warnings.map((warning) => `${url}: ${warning}`))
  const unread = `${failed.length} ${failed.length === 1 ? 'page' : 'pages'} could not be read. ${told.join(' ')}${more}`
  return [...(failed.length > 0 ? [unread] : []), ...ofModel.slice(0, maxNamed)]
}

function named(paths: readonly string[]): string {
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
  .describe('Fields of which pages state different values: each value with its pages.')

export const valueSources = z
  .record(z.string(), z.array(z.string()))
  .optional()
  .describe('The pages that state each value, by its path.')

/** What a job has written as its result; undefined where nothing is kept. */
export async function jobText<Result>(
  deps: PageReadDeps,
  row: Pick<JobRow, 'id' | 'result' | 'result_blob'>,
): Promise<Result | undefined> {
  // Jobs of one kind write one shape.
  return (await resultOf(deps, row))?.value() as Promise<Result> | undefined
}

/** The result of the helper job of this kind; undefined where it has not ended well. */
export async function helperResult<Result>(
  deps: PageReadDeps,
  parentId: string,
  helperKind: string,
): Promise<Result | undefined> {
  const helpers = await listHelperJobs(deps.store.query, parentId)
  const row = helpers.find(({ kind, state }) => kind === helperKind && state === 'completed')
  return row && jobText<Result>(deps, row)
}

export interface GatherDeps {
  reader: Pick<PageReader, 'schema' | 'storedPage' | 'merge'>
}

/** Work on schemas and on what pages say, done in worker threads on behalf of the team of a job. */
export function gatherWork(
  { reader }: GatherDeps,
  { teamId: team, isBackground }: Pick<RunningJob<unknown>, 'teamId' | 'isBackground'>,
  signal: AbortSignal,
) {
  const asked = { who: { team, isBackground }, signal }
  return {
    schema: (schema: unknown) => reader.schema(schema, asked),
    storedPage: (document: Uint8Array, url: string) => reader.storedPage(document, url, asked),
    merge: (schema: unknown, pages: Uint8Array[]) => reader.merge(schema, pages, asked),
  }
}

export type GatherWork = ReturnType<typeof gatherWork>

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ParentEnd } from '../jobs/finish-parent.ts'
import type { Queue } from '../jobs/queue.ts'
import { AppError, isDamaged } from '../platform/errors.ts'
import { JsonText } from '../platform/json/json.ts'
import { readError } from '../store/jobs/job-errors.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import { countChildren, listChildren } from '../store/jobs/parents.ts'
import type { JobState } from '../store/schema.ts'
import type { Deps } from './needs.ts'

export interface ParentDeps extends Pick<Deps, 'store' | 'retentionHours'> {
  queue: Pick<Queue, 'checkedResultOf'>
}

/** How a job of many pages stands, and a part of its documents. Read from the rows, so it can never disagree with them. */
export interface ParentStatus {
  status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  total: number
  completed: number
  creditsUsed: number
  expiresAt: string
  createdAt: string
  completedAt?: string
  /** Seconds from the start to the end, or until now. */
  duration?: number
  error?: string
  /** What a reader of the documents should know. */
  warning?: string
  /** As they were written. */
  documents: JsonText[]
  /** The job that made the last of them. */
  lastDocument: Pick<JobRow, 'ended_number' | 'id'> | undefined
  /** Where the next page of documents starts; undefined when there is nothing more to read now. */
  nextSkip: number | undefined
}

export interface PageOfDocuments {
  skip: number
  limit: number
}

const largestPage = 10 * 1024 * 1024

export async function parentStatus(
  deps: ParentDeps,
  row: JobRow,
  page: PageOfDocuments,
): Promise<ParentStatus> {
  const count = await countChildren(deps.store.query, row.id)
  const error = readError(row.error)
  const read = page.limit === 0 ? [] : await readDocuments(deps, row.id, page)
  const documents = read.map(({ document }) => document)
  const status = isEnded(row.state) ? row.state : 'scraping'
  const hasMore = page.skip + documents.length < count.completed || status === 'scraping'
  return {
    status,
    total: count.queued + count.running + count.completed,
    completed: count.completed,
    creditsUsed: count.credits,
    expiresAt: new Date(row.created_at + deps.retentionHours * 3600_000).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.finished_at === null
      ? {}
      : {
          completedAt: new Date(row.finished_at).toISOString(),
          duration: Math.round((row.finished_at - row.created_at) / 100) / 10,
        }),
    ...(error ? { error: error.error } : {}),
    ...(status !== 'scraping' && count.failed > 0 ? { warning: lost(count.failed) } : {}),
    documents,
    lastDocument: read.at(-1)?.row,
    // A client follows `next` without a pause: a page that held nothing must not offer another.
    nextSkip: documents.length > 0 && hasMore ? page.skip + documents.length : undefined,
  }
}

export function lost(pages: number): string {
  return `${pages} ${pages === 1 ? 'page' : 'pages'} failed and cannot be found among the documents; /errors says why.`
}

export function isEnded(state: JobState): state is Exclude<JobState, 'held' | 'queued' | 'running'> {
  return state !== 'held' && state !== 'queued' && state !== 'running'
}

/** The end of a parent whose child has failed. */
export function failedWith({ error: stored }: Pick<JobRow, 'error'>): ParentEnd {
  const error = readError(stored)
  return { state: 'failed', ...(error ? { error } : {}) }
}

/** Rows are read a few at a time: each may hold half a megabyte. */
const rowsAtOnce = 10

async function readDocuments(deps: ParentDeps, parentId: string, page: PageOfDocuments) {
  const read: { row: Pick<JobRow, 'ended_number' | 'id'>; document: JsonText }[] = []
  let size = 0
  for (let at = 0; at < page.limit; at += rowsAtOnce) {
    const part = { skip: page.skip + at, limit: Math.min(rowsAtOnce, page.limit - at) }
    const rows = await listChildren(deps.store.query, { parentId, state: 'completed', ...part })
    for (const row of rows) {
      const document = (await childDocument(deps.queue, row)) ?? nothing
      size += document.size
      if (read.length > 0 && size > largestPage) return read
      read.push({ row: { ended_number: row.ended_number, id: row.id }, document })
    }
    if (rows.length < part.limit) return read
    await nextTurn()
  }
  return read
}

/**
 * Returns the document of a page, or undefined if none was kept. A damaged document does not fail the list that it belongs to:
 * a document with the error takes its place.
 */
export async function childDocument(
  queue: Pick<Queue, 'checkedResultOf'>,
  row: JobRow,
): Promise<JsonText | undefined> {
  try {
    return await queue.checkedResultOf(row)
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown
    const url = row.target ?? ''
    const { code, status, message: error } = thrown
    const metadata = { sourceURL: url, url, statusCode: status, scrapeId: row.id, creditsUsed: row.credits }
    return JsonText.ofBytes(Buffer.from(JSON.stringify({ metadata: { ...metadata, error, code } })))
  }
}

/** A document that is not there any more keeps its place in the list. */
const nothing = JsonText.ofBytes(Buffer.from('null'))

export interface PageError {
  id: string
  timestamp: string
  url: string
  code: string
  error: string
}

const maxErrors = 10_000

/** The pages that failed, and why. */
export async function childErrors(deps: Pick<ParentDeps, 'store'>, row: JobRow): Promise<PageError[]> {
  const failed: JobRow[] = []
  // Some at a time: everything else gets its turn in between.
  for (let more = true; more && failed.length < maxErrors; await nextTurn()) {
    const which = { parentId: row.id, state: 'failed' as const, skip: failed.length, limit: 500 }
    const part = await listChildren(deps.store.query, which)
    failed.push(...part)
    more = part.length === 500
  }
  return failed.map((child) => {
    const error = readError(child.error)
    return {
      id: child.id,
      timestamp: new Date(child.finished_at ?? child.created_at).toISOString(),
      url: child.target ?? '',
      code: error?.code ?? 'INTERNAL',
      error: error?.error ?? '',
    }
  })
}

/** What one page can have and many pages cannot. */
export function throwChildErrors(
  request: { zeroDataRetention: boolean },
  { profile }: { profile?: { saveChanges: boolean } | undefined },
): void {
  if (request.zeroDataRetention) {
    const message =
      'The results of crawls and batches are kept to be read. Scrape each page with zeroDataRetention.'
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'zeroDataRetention' }, { message })
  }
  // They run side by side, and each would save over what another has saved.
  if (profile?.saveChanges) {
    const message = 'Pages of a crawl or a batch can load a profile, not save it: use saveChanges: false.'
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'profile.saveChanges' }, { message })
  }
}

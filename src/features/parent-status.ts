import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/team-models.ts'
import type { ParentEnd } from '../jobs/finish-parent.ts'
import type { Queue } from '../jobs/queue.ts'
import { AppError, isDamaged } from '../platform/errors.ts'
import { JsonText } from '../platform/json/json.ts'
import { readError } from '../store/jobs/job-errors.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import { countChildren, listChildren } from '../store/jobs/parents.ts'
import type { JobState, Store } from '../store/schema.ts'
import type { Deps } from './needs.ts'

export interface ParentDeps extends Pick<Deps, 'store' | 'retentionHours'> {
  queue: Pick<Queue, 'checkedResultOf'>
}

export type ParentStatus = Awaited<ReturnType<typeof parentStatus>>

/** Fields of a job whose pages run in the background, and of its pages. */
export const parentFields = (team: Team, origin: string | undefined, now: number) => ({
  ...{ team, origin, retain: true, deadlineAt: now + 2 * dayMs, price: 0 },
})

export interface PageOfDocuments {
  skip: number
  limit: number
}

const maxPageBytes = 10 * 1024 * 1024

export async function parentStatus(deps: ParentDeps, row: JobRow, page: PageOfDocuments) {
  const count = await countChildren(deps.store.query, row.id)
  const error = readError(row.error)
  const entries = page.limit === 0 ? [] : await readDocuments(deps, row.id, page)
  const documents = entries.map(({ document }) => document)
  const status = isEnded(row.state) ? row.state : ('scraping' as const)
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
    ...(status !== 'scraping' && count.failed > 0 ? { warning: failedPagesWarning(count.failed) } : {}),
    documents,
    lastDocument: entries.at(-1)?.row,
    // Clients follow `next` immediately, so an empty page must not link to another one.
    nextSkip: documents.length > 0 && hasMore ? page.skip + documents.length : undefined,
  }
}

export const failedPagesWarning = (pages: number) =>
  `${pages} ${pages === 1 ? 'page' : 'pages'} failed and cannot be found among the documents; /errors says why.`

export const isEnded = (state: JobState): state is Exclude<JobState, 'held' | 'queued' | 'running'> =>
  state !== 'held' && state !== 'queued' && state !== 'running'

export function failedWith({ error: stored }: Pick<JobRow, 'error'>): ParentEnd {
  const error = readError(stored)
  return { state: 'failed', ...(error ? { error } : {}) }
}

/** Rows are read in small batches, because each may hold half a megabyte. */
const rowsPerQuery = 10

async function readDocuments(deps: ParentDeps, parentId: string, page: PageOfDocuments) {
  const entries: { row: Pick<JobRow, 'ended_number' | 'id'>; document: JsonText }[] = []
  let size = 0
  for (let offset = 0; offset < page.limit; offset += rowsPerQuery) {
    const range = { skip: page.skip + offset, limit: Math.min(rowsPerQuery, page.limit - offset) }
    const rows = await listChildren(deps.store.query, { parentId, state: 'completed', ...range })
    for (const row of rows) {
      const document = (await childDocument(deps.queue, row)) ?? nullDocument
      size += document.size
      if (entries.length > 0 && size > maxPageBytes) return entries
      entries.push({ row: { ended_number: row.ended_number, id: row.id }, document })
    }
    if (rows.length < range.limit) return entries
    await nextTurn()
  }
  return entries
}

/** Returns undefined if no document is stored. A document with the error replaces a damaged one. */
export async function childDocument(queue: Pick<Queue, 'checkedResultOf'>, row: JobRow) {
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

/** Placeholder for a document that is no longer stored, so that the positions in the list stay the same. */
export const nullDocument = JsonText.ofBytes(Buffer.from('null'))

export async function* readFailedPages({ query }: Store, parentId: string): AsyncGenerator<JobRow[]> {
  const limit = 500
  for (let skip = 0; ; skip += limit) {
    const rows = await listChildren(query, { parentId, state: 'failed', skip, limit })
    yield rows
    if (rows.length < limit) return
    await nextTurn()
  }
}

const maxErrors = 10_000

export async function listPageErrors({ store }: { store: Store }, row: JobRow) {
  const failed: JobRow[] = []
  for await (const rows of readFailedPages(store, row.id)) {
    failed.push(...rows)
    if (failed.length >= maxErrors) break
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

export function assertValidUrls(
  { ignoreInvalidURLs }: { ignoreInvalidURLs: boolean },
  { valid, invalidURLs }: { valid: string[]; invalidURLs: string[] },
): void {
  if (invalidURLs.length === 0) return
  if (valid.length === 0) throw new AppError('NO_VALID_URLS', { invalidURLs })
  if (ignoreInvalidURLs) return
  const message = 'Some URLs are not valid. Remove them, or set ignoreInvalidURLs: true to skip them.'
  throw new AppError('BAD_URL', { invalidURLs }, { message })
}

export function assertParentOptions(
  request: { zeroDataRetention: boolean },
  { profile }: { profile?: { saveChanges: boolean } | undefined },
): void {
  if (request.zeroDataRetention) {
    const message =
      'The results of crawls and batches are kept to be read. Scrape each page with zeroDataRetention.'
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'zeroDataRetention' }, { message })
  }
  // Pages run concurrently, and each would overwrite the profile that another one saved.
  if (profile?.saveChanges) {
    const message = 'Pages of a crawl or a batch can load a profile, not save it: use saveChanges: false.'
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'profile.saveChanges' }, { message })
  }
}

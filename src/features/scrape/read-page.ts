import type { Page } from '../../content/page.ts'
import { isDocument } from '../../documents/is-document.ts'
import { planParsers } from '../../documents/options.ts'
import { type ReadDocument, readDocument } from '../../documents/read-document.ts'
import type { PageParts } from '../../extraction/page-parts/parts.ts'
import type { FetchResult } from '../../fetch/fetch-page.ts'
import { AppError } from '../../platform/errors.ts'
import type { CachedPage } from './cache.ts'
import type { CachedPageData } from './cached-page-data.ts'
import type { ScrapePlan } from './plan.ts'
import { type ReadDeps, requesterOf, type ScrapeCall } from './scrape-call.ts'

/** Fetched or cached page with its extracted parts. */
export interface ReadPage {
  fetched: FetchResult
  content: PageParts
  /** Converted document, if the page is a file. */
  file: ReadDocument | undefined
  notes: CachedPageData
  /** True if the page came from the cache. */
  isHit: boolean
}

/** Extracts the parts of a fetched page. */
export async function readFetched(deps: ReadDeps, call: ScrapeCall, fetched: FetchResult): Promise<ReadPage> {
  return { ...(await readContent(deps, call, fetched, undefined)), isHit: false }
}

/** Extracts the parts of a cached page. Stored metadata is reused and not extracted again. */
export async function readCached(
  deps: ReadDeps,
  call: ScrapeCall,
  { page, notes }: CachedPage,
): Promise<ReadPage> {
  const { job, plan, deadline, permit, requestedParts } = call
  // The page was indexed when it was fetched.
  const { search: _search, ...withoutSearch } = requestedParts
  const { metadata: _, ...withoutMetadata } = withoutSearch
  const request = {
    options: plan.content,
    requestedParts: notes.metadata ? withoutMetadata : withoutSearch,
    classifyMode: 'none' as const,
    who: requesterOf(job),
  }
  const { parts } = await deadline.during('render', async (signal) => {
    await permit.need(page.text?.length ?? page.bytes.length, signal)
    return deps.reader.read(page, request, signal)
  })
  const fetched: FetchResult = { page, parts, tier: 'basic', warnings: [] }
  return { ...(await readContent(deps, call, fetched, notes)), isHit: true }
}

async function readContent(
  deps: ReadDeps,
  call: ScrapeCall,
  fetched: FetchResult,
  cached: CachedPageData | undefined,
): Promise<Omit<ReadPage, 'isHit'>> {
  const { page } = fetched
  const file = await readFile(deps, call, page)
  const content = file?.content ?? fetched.parts ?? (await readEmptyText(deps, call, page))
  return { fetched, content, file, notes: buildCachedData({ fetched, content, file, cached }) }
}

/** Returns the data that is cached with the page. It must not depend on the options of the request. */
function buildCachedData(
  read: Pick<ReadPage, 'fetched' | 'content' | 'file'> & { cached: CachedPageData | undefined },
): CachedPageData {
  const { fetched, content, file, cached } = read
  // Metadata of a file depends on the parser options, and every call that reads the file converts it anyway.
  if (file) return { metadata: undefined, warnings: cached?.warnings ?? fetched.warnings }
  const metadata = cached?.metadata ?? content.metadata()
  return { metadata, warnings: cached?.warnings ?? [...fetched.warnings, ...content.warnings()] }
}

/** Returns the parts of an empty text, for a format that returns the file unchanged. */
async function readEmptyText(
  deps: ReadDeps,
  { job, plan, deadline, requestedParts }: ScrapeCall,
  page: Page,
): Promise<PageParts> {
  if (!plan.formats.takesFile(page)) throw unsupportedFile(page)
  const empty = { ...page, headers: { 'content-type': 'text/plain' }, bytes: new Uint8Array(), text: '' }
  const { search: _, ...requested } = requestedParts
  const options = { ...plan.content, onlyCleanContent: false }
  const request = { options, requestedParts: requested, classifyMode: 'none' as const, who: requesterOf(job) }
  const { parts } = await deadline.during('render', (signal) => deps.reader.read(empty, request, signal))
  if (!parts) throw new Error('An empty text was not read')
  return { ...parts, html: () => '' }
}

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL is a file (${contentType}) that this installation cannot convert to text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
}

/**
 * Converts a page that is a file. Returns undefined if the page is not a file, or if a format returns its bytes
 * unchanged.
 */
async function readFile(
  { documents, reader }: ReadDeps,
  { job, plan, deadline, requestedParts }: ScrapeCall,
  page: Page,
): Promise<ReadDocument | undefined> {
  if (!isConverted(page, plan)) return undefined
  const file = {
    source: { bytes: page.bytes },
    name: decodeOrUnchanged(new URL(page.url).pathname),
    mediaType: page.headers['content-type'],
    url: page.url,
  }
  try {
    return await readDocument({ ...documents, reader }, file, {
      plan: planParsers(job.input.parsers),
      ...{ content: plan.content, requestedParts, who: requesterOf(job), deadline, trace: job.trace },
      // The size limits were applied when the page was fetched.
      throwIfTooLarge: () => {},
    })
  } catch (thrown) {
    // A URL may return any file, and an unsupported file of a URL has another error code than an unsupported upload.
    if (thrown instanceof AppError && thrown.code === 'UNSUPPORTED_FILE_TYPE') return undefined
    throw thrown
  }
}

/** Returns true if the page is a file that must be converted. A conversion needs a slot, even if the file is cached. */
export function isConverted(page: Page, { formats }: ScrapePlan): boolean {
  return !formats.takesFile(page) && isDocument(page)
}

function decodeOrUnchanged(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

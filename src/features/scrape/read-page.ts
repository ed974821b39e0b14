import type { Page } from '../../content/page.ts'
import { isDocument } from '../../documents/is-document.ts'
import { planParsers } from '../../documents/options.ts'
import { type ReadDocument, readDocument } from '../../documents/read-document.ts'
import type { PageParts } from '../../extraction/page-parts/parts.ts'
import type { FetchResult } from '../../fetch/fetch-page.ts'
import { AppError } from '../../platform/errors.ts'
import { decodePercent } from '../../platform/url.ts'
import type { CachedPage, CachedPageData } from './cache.ts'
import type { ScrapePlan } from './plan.ts'
import { type ReadDeps, requesterOf, type ScrapeCall } from './scrape-call.ts'

export interface ReadPage {
  fetched: FetchResult
  content: PageParts
  file: ReadDocument | undefined
  notes: CachedPageData
  isHit: boolean
}

export async function readCached(deps: ReadDeps, call: ScrapeCall, { page, notes }: CachedPage) {
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
  return readContent(deps, call, { page, parts, tier: 'basic', warnings: [] }, notes)
}

export async function readContent(
  deps: ReadDeps,
  call: ScrapeCall,
  fetched: FetchResult,
  cached?: CachedPageData,
): Promise<ReadPage> {
  const { page } = fetched
  const file = await readFile(deps, call, page)
  const content = file?.content ?? fetched.parts ?? (await readEmptyText(deps, call, page))
  // The cached data must not depend on the options of the request. The metadata of a file depends on its parsers.
  const metadata = file ? undefined : (cached?.metadata ?? content.metadata())
  const warnings = cached?.warnings ?? [...fetched.warnings, ...(file ? [] : content.warnings())]
  return { fetched, content, file, notes: { metadata, warnings }, isHit: cached !== undefined }
}

async function readEmptyText(
  deps: ReadDeps,
  { job, plan, deadline, requestedParts }: ScrapeCall,
  page: Page,
): Promise<PageParts> {
  if (!plan.formats.takesFile(page)) {
    const contentType = page.headers['content-type'] ?? 'unknown'
    const message = `The URL is a file (${contentType}) that this installation cannot convert to text.`
    throw new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
  }
  const empty = { ...page, headers: { 'content-type': 'text/plain' }, bytes: new Uint8Array(), text: '' }
  const { search: _, ...requested } = requestedParts
  const options = { ...plan.content, onlyCleanContent: false }
  const request = { options, requestedParts: requested, classifyMode: 'none' as const, who: requesterOf(job) }
  const { parts } = await deadline.during('render', (signal) => deps.reader.read(empty, request, signal))
  if (!parts) throw new Error('An empty text was not read')
  return { ...parts, html: () => '' }
}

async function readFile(
  { documents, reader }: ReadDeps,
  { job, plan, deadline, requestedParts }: ScrapeCall,
  page: Page,
): Promise<ReadDocument | undefined> {
  if (!isConverted(page, plan)) return undefined
  const file = {
    source: { bytes: page.bytes },
    name: decodePercent(new URL(page.url).pathname),
    mediaType: page.headers['content-type'],
    url: page.url,
  }
  try {
    return await readDocument({ ...documents, reader }, file, {
      plan: planParsers(job.input.parsers),
      ...{ content: plan.content, requestedParts, who: requesterOf(job), deadline, trace: job.trace },
      throwIfTooLarge: () => {},
    })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'UNSUPPORTED_FILE_TYPE') return undefined
    throw thrown
  }
}

/** A conversion needs a slot, even if the file is cached. */
export function isConverted(page: Page, { formats }: ScrapePlan): boolean {
  return !formats.takesFile(page) && isDocument(page)
}

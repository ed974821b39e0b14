import type { Page } from '../../content/page.ts'
import { isDocument } from '../../documents/is-document.ts'
import { planParsers } from '../../documents/options.ts'
import { type ReadDocument, readDocument } from '../../documents/read-document.ts'
import type { PageParts } from '../../extraction/page-parts/parts.ts'
import type { Fetched } from '../../fetch/fetch-page.ts'
import { AppError } from '../../platform/errors.ts'
import type { CachedPage } from './cache.ts'
import type { CachedPageData } from './cached-page-data.ts'
import type { ScrapePlan } from './plan.ts'
import { type ReadDeps, requesterOf, type ScrapeCall } from './scrape-call.ts'

/** A page with what it says. */
export interface ReadPage {
  fetched: Fetched
  content: PageParts
  /** Where it is a file that was converted. */
  file: ReadDocument | undefined
  notes: CachedPageData
  /** Whether it came from the cache. */
  isHit: boolean
}

/** A fetched page → what it says. */
export async function readFetched(deps: ReadDeps, call: ScrapeCall, fetched: Fetched): Promise<ReadPage> {
  return { ...(await readContent(deps, call, fetched, undefined)), isHit: false }
}

/** A kept page → what it says. What was noted of it need not be read again. */
export async function readCached(
  deps: ReadDeps,
  call: ScrapeCall,
  { page, notes }: CachedPage,
): Promise<ReadPage> {
  const { job, plan, deadline, room, wishes } = call
  // It was read and indexed when it came.
  const { search: _search, ...again } = wishes
  const { metadata: _, ...rest } = again
  const request = {
    options: plan.content,
    wishes: notes.metadata ? rest : again,
    judging: 'none' as const,
    who: requesterOf(job),
  }
  const { parts } = await deadline.during('render', async (signal) => {
    await room.need(page.text?.length ?? page.bytes.length, signal)
    return deps.reader.read(page, request, signal)
  })
  const fetched: Fetched = { page, parts, tier: 'basic', warnings: [] }
  return { ...(await readContent(deps, call, fetched, notes)), isHit: true }
}

async function readContent(
  deps: ReadDeps,
  call: ScrapeCall,
  fetched: Fetched,
  kept: CachedPageData | undefined,
): Promise<Omit<ReadPage, 'isHit'>> {
  const { page } = fetched
  const file = await readFile(deps, call, page)
  const content = file?.content ?? fetched.parts ?? (await readNothing(deps, call, page))
  return { fetched, content, file, notes: notesOf({ fetched, content, file, kept }) }
}

/** What is kept with the page. It must not depend on what was asked of it. */
function notesOf(
  read: Pick<ReadPage, 'fetched' | 'content' | 'file'> & { kept: CachedPageData | undefined },
): CachedPageData {
  const { fetched, content, file, kept } = read
  // What a file says of itself depends on how it is parsed, and every call that reads it converts it anyway.
  if (file) return { metadata: undefined, warnings: kept?.warnings ?? fetched.warnings }
  const metadata = kept?.metadata ?? content.metadata()
  return { metadata, warnings: kept?.warnings ?? [...fetched.warnings, ...content.warnings()] }
}

/** The parts of a file that a format takes as it is: those of an empty text. */
async function readNothing(
  deps: ReadDeps,
  { job, plan, deadline, wishes }: ScrapeCall,
  page: Page,
): Promise<PageParts> {
  if (!plan.formats.takesFile(page)) throw unsupportedFile(page)
  const empty = { ...page, headers: { 'content-type': 'text/plain' }, bytes: new Uint8Array(), text: '' }
  const { search: _, ...asked } = wishes
  const options = { ...plan.content, onlyCleanContent: false }
  const request = { options, wishes: asked, judging: 'none' as const, who: requesterOf(job) }
  const { parts } = await deadline.during('render', (signal) => deps.reader.read(empty, request, signal))
  if (!parts) throw new Error('An empty text was not read')
  return { ...parts, html: () => '' }
}

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL is a file (${contentType}) that this installation cannot convert to text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
}

/** A page that is a file, converted; nothing when it is a page, or when its bytes are what was asked for. */
async function readFile(
  { documents, reader }: ReadDeps,
  { job, plan, deadline, wishes }: ScrapeCall,
  page: Page,
): Promise<ReadDocument | undefined> {
  if (!isConverted(page, plan)) return undefined
  const file = {
    source: { bytes: page.bytes },
    name: decodeURIComponentOrNot(new URL(page.url).pathname),
    mediaType: page.headers['content-type'],
    url: page.url,
  }
  try {
    return await readDocument({ ...documents, reader }, file, {
      plan: planParsers(job.input.parsers),
      ...{ content: plan.content, wishes, who: requesterOf(job), deadline, trace: job.trace },
      // Its bounds were those of the page that it came as.
      refuseLarge: () => {},
    })
  } catch (thrown) {
    // Of an upload its sender says what it is; a URL may hold anything, and that has had a code of its own.
    if (thrown instanceof AppError && thrown.code === 'UNSUPPORTED_FILE_TYPE') return undefined
    throw thrown
  }
}

/** Whether an answer takes a conversion: work worth a slot, even where the file itself is at hand. */
export function isConverted(page: Page, { formats }: ScrapePlan): boolean {
  return !formats.takesFile(page) && isDocument(page)
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { PermitOwner } from '../../base/permits.ts'
import type { Trace } from '../../base/trace/trace.ts'
import type { Page } from '../../content/page.ts'
import { isDocument } from '../../documents/is-document.ts'
import { planParsers } from '../../documents/options.ts'
import { type DocumentNeeds, type ReadDocument, readDocument } from '../../documents/read-document.ts'
import type { Fetched } from '../../engine/fetch-page.ts'
import { type PageParts, type PartWishes, pageParts } from '../../page-data/parts.ts'
import { nothingTracked } from '../../page-data/tracked-values.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'
import type { PassageWish } from '../../reading/passages/find-passages.ts'
import { nothingRead } from '../../reading/read-json.ts'
import type { KeptPage } from './cache.ts'
import type { PageNotes } from './page-notes.ts'
import type { ScrapePlan } from './plan.ts'
import type { ScrapeRequest } from './schema.ts'
import { type ReadNeeds, type Walk, whoOf } from './walk.ts'

/** A page with what it says. */
export interface ReadPage {
  fetched: Fetched
  content: PageParts
  /** Where it is a file that was converted. */
  file: ReadDocument | undefined
  notes: PageNotes
  /** Whether it came from the cache. */
  isHit: boolean
}

/** A fetched page → what it says. */
export async function readFetched(needs: ReadNeeds, walk: Walk, fetched: Fetched): Promise<ReadPage> {
  return { ...(await readContent(needs, walk, fetched, undefined)), isHit: false }
}

/** A kept page → what it says. What was noted of it need not be read again. */
export async function readKept(needs: ReadNeeds, walk: Walk, { page, notes }: KeptPage): Promise<ReadPage> {
  const { job, plan, deadline, room, wishes } = walk
  // It was read and indexed when it came.
  const { search: _search, ...again } = wishes
  const { metadata: _, ...rest } = again
  const request = {
    options: plan.content,
    wishes: notes.metadata ? rest : again,
    judging: 'none' as const,
    who: whoOf(job),
  }
  const { parts } = await deadline.during('render', async (signal) => {
    await room.need(page.text?.length ?? page.bytes.length, signal)
    return needs.reader.read(page, request, signal)
  })
  const fetched: Fetched = { page, parts, tier: 'basic', warnings: [] }
  return { ...(await readContent(needs, walk, fetched, notes)), isHit: true }
}

async function readContent(
  needs: ReadNeeds,
  { job, plan, deadline, wishes }: Walk,
  fetched: Fetched,
  kept: PageNotes | undefined,
): Promise<Omit<ReadPage, 'isHit'>> {
  const { page } = fetched
  const request = job.input
  const file = await readFile(needs, page, {
    ...{ request, plan, deadline, wishes, who: whoOf(job), trace: job.trace },
  })
  const content = file?.content ?? fetched.parts ?? standIn(page, plan)
  if (!content) throw unsupportedFile(page)
  return { fetched, content, file, notes: notesOf({ fetched, content, file, kept }) }
}

/** What is kept with the page. It must not depend on what was asked of it. */
function notesOf(
  read: Pick<ReadPage, 'fetched' | 'content' | 'file'> & { kept: PageNotes | undefined },
): PageNotes {
  const { fetched, content, file, kept } = read
  // What a file says of itself depends on how it is parsed, and every call that reads it converts it anyway.
  if (file) return { metadata: undefined, warnings: kept?.warnings ?? fetched.warnings }
  const metadata = kept?.metadata ?? content.metadata()
  return { metadata, warnings: kept?.warnings ?? [...fetched.warnings, ...content.warnings()] }
}

/** Nothing to read: the parts of a file that a format takes as it is. */
function standIn(page: Page, { formats }: ScrapePlan): PageParts | undefined {
  if (!formats.takesFile(page)) return undefined
  const nothing = (value: unknown) => ({ value, warnings: [] })
  const [text, list, metadata] = [nothing(''), nothing([]), nothing({})]
  const links = nothing({ links: [], next: undefined, canonical: undefined })
  return pageParts({
    ...{ metadata, markdown: text, html: text, rawHtml: text, tracked: text, follow: links },
    ...{ links: list, images: list, media: list },
    attributes: nothing({ found: [] }),
    json: nothing(nothingRead(page.url)),
    trackedValues: nothing(nothingTracked(page.url)),
    gist: nothing({ summary: '', isCut: false, sentences: [], orders: 0 }),
    passages: nothing((formats.wishes.passages ?? []).map(nothingFound)),
    blocks: nothing({ blocks: [], count: undefined }),
    account: nothing({ whole: 0, kept: 0, leftOut: [] }),
    product: nothing({ ok: false, reason: 'the URL is a file' }),
  })
}

const nothingFound = ({ query }: PassageWish) => ({
  ...{ query, language: undefined, isMatched: false, isCut: false, candidates: [] },
})

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL is a file (${contentType}) that this installation cannot convert to text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
}

/** A page that is a file, converted; nothing when it is a page, or when its bytes are what was asked for. */
export async function readFile(
  needs: { documents: DocumentNeeds; reader: PageReader },
  page: Page,
  how: {
    request: ScrapeRequest
    plan: ScrapePlan
    deadline: Deadline
    wishes: PartWishes
    who: PermitOwner
    trace: Trace
  },
): Promise<ReadDocument | undefined> {
  const { request, plan, deadline, wishes, who, trace } = how
  if (!isConverted(page, plan)) return undefined
  const file = {
    source: { bytes: page.bytes },
    name: decodeURIComponentOrNot(new URL(page.url).pathname),
    mediaType: page.headers['content-type'],
    url: page.url,
  }
  try {
    return await readDocument({ ...needs.documents, reader: needs.reader }, file, {
      plan: planParsers(request.parsers),
      ...{ content: plan.content, wishes, who, deadline, trace },
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

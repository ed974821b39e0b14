import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentOptions } from '../content/content.ts'
import { isTextual } from '../content/content-type.ts'
import type { Page } from '../content/page.ts'
import type { PageParts, PartRequests } from '../extraction/page-parts/parts.ts'
import type { Deadline } from '../platform/deadline.ts'
import { JsonText } from '../platform/json/json.ts'
import type { PermitOwner } from '../platform/permits.ts'
import { withTemporaryFolder, writeTemporaryFile } from '../platform/temporary-files.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { type Converter, toProblemError } from './convert.ts'
import type { Conversion, ConvertedDocument, ConvertedPage } from './document.ts'
import type { ParserPlan } from './options.ts'

export interface DocumentDeps {
  converter: Converter
  tesseract: string | undefined
}

/** Reads text outside the main thread. */
export interface TextReader {
  read(
    page: Page,
    request: { options: ContentOptions; wishes: PartRequests; judging: 'none'; who: PermitOwner },
    signal: AbortSignal,
  ): Promise<{ parts: PageParts | undefined }>
}

/** How to read a file, which parts are requested, and by which team. */
export interface DocumentRequest {
  plan: ParserPlan
  content: ContentOptions
  wishes: PartRequests
  who: PermitOwner
  deadline: Deadline
  trace: Trace
  /** Throws if a text is too large. */
  refuseLarge: (page: Page) => void
}

export interface DocumentFile {
  /** The location of the bytes: in a file, or in memory. */
  source: { path: string } | { bytes: Uint8Array }
  name: string
  mediaType: string | undefined
  /** Base of relative URLs. */
  url: string
}

export interface ReadDocument {
  content: PageParts
  page: Page
  /** Pages that were converted and pages there are; undefined for files without pages. */
  paged: { converted: ConvertedPage[]; total: number } | undefined
  warnings: string[]
}

/** A file → its requested parts, for every format of a page. */
export async function readDocument(
  deps: DocumentDeps & { reader: TextReader },
  file: DocumentFile,
  how: DocumentRequest,
): Promise<ReadDocument> {
  return withPath(file.source, async (path) => {
    const order = {
      path,
      name: file.name,
      mediaType: file.mediaType,
      options: {
        pdf: how.plan.pdf,
        parses: how.plan.parses,
        tesseract: deps.tesseract,
        redaction: how.wishes.redaction,
        withinMs: how.deadline.remaining(),
      },
    }
    const conversion = await how.deadline.during('convert', (signal) =>
      deps.converter.convert(order, how.who, signal),
    )
    const page = pageOf(file, conversion.mediaType)
    noteConversion(how.trace, conversion)
    if (conversion.kind === 'converted') return converted(deps.reader, page, conversion.document, how)
    const bytes = await readFile(path)
    if (conversion.kind === 'raw') return asItIs(deps.reader, page, bytes, how)
    const whole = { ...page, bytes }
    how.refuseLarge(whole)
    const content = isTextual(whole) ? await read(deps.reader, whole, how) : undefined
    if (!content) throw toProblemError({ kind: 'damaged', message: notText })
    return { content, page: whole, paged: undefined, warnings: [] }
  })
}

function noteConversion(trace: Trace, { mediaType, ...conversion }: Conversion): void {
  const total = conversion.kind === 'converted' ? conversion.document.paged?.total : undefined
  trace.note({ step: 'convert', type: mediaType, ...(total === undefined ? {} : { pages: total }) })
}

async function read(
  reader: TextReader,
  page: Page,
  {
    content: options,
    wishes,
    who,
    deadline,
  }: Pick<DocumentRequest, 'content' | 'wishes' | 'who' | 'deadline'>,
): Promise<PageParts | undefined> {
  const request = { options, wishes, judging: 'none' as const, who }
  const { parts } = await deadline.during('render', (signal) => reader.read(page, request, signal))
  return parts
}

const notText = 'The file is not valid text: it is damaged, or its name has the wrong extension.'

function pageOf(file: DocumentFile, mediaType: string): Page {
  return {
    requestedUrl: file.url,
    url: file.url,
    status: 200,
    // A text file itself is the best source for its encoding; the content type of an upload is a guess of its sender.
    headers: { 'content-type': mediaType },
    bytes: new Uint8Array(),
    fetchedAt: 0,
  }
}

/** Formats that need a tree get the document as HTML; its Markdown comes from the converter. */
async function converted(
  reader: TextReader,
  page: Page,
  document: ConvertedDocument,
  how: DocumentRequest,
): Promise<ReadDocument> {
  const text = `<!DOCTYPE html>\n<html><body>\n${document.html}</body></html>\n`
  const whole = { ...page, headers: { 'content-type': 'text/html' }, text }
  const options = { ...how.content, onlyMainContent: false, onlyCleanContent: false }
  const choosesParts = options.includeTags.length > 0 || options.excludeTags.length > 0
  const {
    markdown,
    metadata: _,
    links: __,
    images: ___,
    account: ____,
    blocks: _blocks,
    ...rest
  } = how.wishes
  const wishes = choosesParts && markdown ? { ...rest, markdown } : rest
  const content = await readOrNot(reader, whole, { ...how, content: options, wishes })
  return {
    content: {
      ...content,
      ...(choosesParts ? {} : { markdown: () => document.markdown }),
      links: () => document.links,
      images: () => document.images,
      metadata: () => document.metadata,
    },
    page,
    paged: document.paged && { converted: document.paged.pages, total: document.paged.total },
    warnings: [...document.warnings, ...withoutCleaning(how)],
  }
}

/** A converted file has no furniture of a site, and the model knows pages only. */
const withoutCleaning = ({ content }: DocumentRequest) =>
  content.onlyCleanContent ? ['onlyCleanContent has no effect on a file that is converted.'] : []

/** Most calls only request the Markdown, which the converter already wrote: then nothing has to be read. */
async function readOrNot(reader: TextReader, page: Page, how: DocumentRequest): Promise<PageParts> {
  const { redaction: _, ...wished } = how.wishes
  const isNothing = Object.keys(wished).length === 0
  const parts = await read(reader, isNothing ? { ...page, text: '' } : page, how)
  if (!parts) throw new Error('A converted document was not read')
  return parts
}

/** Not parsed: the file is returned in base64 in place of its text. */
async function asItIs(
  reader: TextReader,
  page: Page,
  bytes: Uint8Array,
  how: DocumentRequest,
): Promise<ReadDocument> {
  const empty = { ...page, headers: { 'content-type': 'text/plain' } }
  const content = await readOrNot(reader, empty, {
    ...how,
    content: { ...how.content, onlyCleanContent: false },
  })
  const same = () => JsonText.ofBase64(bytes)
  return {
    content: { ...content, html: same, markdown: same, rawHtml: same },
    page,
    paged: undefined,
    warnings: [
      ...(how.wishes.redaction ? ['redactPII has no effect on a file that is not parsed.'] : []),
      ...(how.content.onlyCleanContent
        ? ['onlyCleanContent has no effect on a file that is not parsed.']
        : []),
    ],
  }
}

async function withPath<T>(source: DocumentFile['source'], work: (path: string) => Promise<T>): Promise<T> {
  if ('path' in source) return work(source.path)
  const { bytes } = source
  return withTemporaryFolder('document', async (folder) => {
    const path = join(folder, 'file')
    await writeTemporaryFile(path, bytes)
    return work(path)
  })
}

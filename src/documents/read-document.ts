import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deadline } from '../base/deadline.ts'
import type { PlaceWish } from '../base/fair-places.ts'
import { type Content, type ContentOptions, readPage } from '../content/content.ts'
import { isTextual } from '../content/content-type.ts'
import type { Page } from '../content/page.ts'
import { type Converter, problemError } from './convert.ts'
import type { ConvertedDocument, ConvertedPage } from './document.ts'
import type { ParserPlan } from './options.ts'

export interface DocumentNeeds {
  converter: Converter
  tesseract: string | undefined
}

export interface DocumentFile {
  /** Where the bytes are: in a file already, or in memory. */
  source: { path: string } | { bytes: Uint8Array }
  name: string
  mediaType: string | undefined
  /** Address that relative addresses start from. */
  url: string
}

export interface ReadDocument {
  content: Content
  page: Page
  /** Pages that were converted and pages there are; undefined for files without pages. */
  paged: { converted: ConvertedPage[]; total: number } | undefined
  warnings: string[]
}

/** A file → content, for every format that a page would have. */
export async function readDocument(
  needs: DocumentNeeds,
  file: DocumentFile,
  how: { plan: ParserPlan; content: ContentOptions; who: PlaceWish; deadline: Deadline },
): Promise<ReadDocument> {
  return withPath(file.source, async (path) => {
    const order = {
      path,
      name: file.name,
      mediaType: file.mediaType,
      options: {
        pdf: how.plan.pdf,
        parses: how.plan.parses,
        tesseract: needs.tesseract,
        withinMs: how.deadline.remaining(),
      },
    }
    const conversion = await how.deadline.during('convert', (signal) =>
      needs.converter.convert(order, how.who, signal),
    )
    const page = pageOf(file, conversion.mediaType)
    if (conversion.kind === 'converted') return converted(page, conversion.document, how.content)
    const bytes = await readFile(path)
    if (conversion.kind === 'page') {
      const whole = { ...page, bytes }
      if (!isTextual(whole)) throw problemError({ kind: 'damaged', message: notText })
      return { content: readPage(whole, how.content), page: whole, paged: undefined, warnings: [] }
    }
    return asItIs(page, bytes)
  })
}

const notText = 'The file is not a valid text: it is damaged, or something else than its name says.'

function pageOf(file: DocumentFile, mediaType: string): Page {
  return {
    requestedUrl: file.url,
    url: file.url,
    status: 200,
    // A file of text says what it is encoded in, if anything does; the label of an upload is a guess of its sender.
    headers: { 'content-type': mediaType },
    bytes: new Uint8Array(),
    fetchedAt: 0,
  }
}

/** Formats that read a tree find the document as HTML; its Markdown is the converter's own. */
function converted(page: Page, document: ConvertedDocument, options: ContentOptions): ReadDocument {
  const text = `<!DOCTYPE html>\n<html><body>\n${document.html}</body></html>\n`
  const whole = { ...page, headers: { 'content-type': 'text/html' }, text }
  const content = readPage(whole, { ...options, onlyMainContent: false })
  const choosesParts = options.includeTags.length > 0 || options.excludeTags.length > 0
  return {
    content: {
      ...content,
      rawHtml: () => text,
      markdown: choosesParts ? content.markdown : () => document.markdown,
      links: () => document.links,
      images: () => document.images,
      metadata: () => document.metadata,
    },
    page,
    paged: document.paged && { converted: document.paged.pages, total: document.paged.total },
    warnings: document.warnings,
  }
}

/** Not parsed: the file stands in base64 wherever its text would have stood. */
function asItIs(page: Page, bytes: Buffer): ReadDocument {
  const text = bytes.toString('base64')
  const options = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: false }
  const content = readPage(
    { ...page, headers: { 'content-type': 'text/plain' }, bytes: Buffer.from(text) },
    options,
  )
  const same = () => text
  return {
    content: { ...content, html: same, markdown: same, rawHtml: same },
    page,
    paged: undefined,
    warnings: [],
  }
}

async function withPath<T>(source: DocumentFile['source'], work: (path: string) => Promise<T>): Promise<T> {
  if ('path' in source) return work(source.path)
  const folder = await mkdtemp(join(tmpdir(), 'winnow-document-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, source.bytes, { mode: 0o600 })
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

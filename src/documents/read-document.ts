import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentOptions } from '../content/content.ts'
import { isTextual } from '../content/content-type.ts'
import type { Page } from '../content/page.ts'
import type { PageParts, PartRequests } from '../extraction/page-parts/parts.ts'
import type { PageReader } from '../extraction/workers/page-reader.ts'
import type { Deadline } from '../platform/deadline.ts'
import { JsonText } from '../platform/json/json.ts'
import type { PermitOwner } from '../platform/permits.ts'
import { withTemporaryFolder, writeTemporaryFile } from '../platform/temporary-files.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { type Converter, toProblemError } from './convert.ts'
import type { ConvertedDocument, ConvertedPage } from './document.ts'
import type { ParserPlan } from './options.ts'

export interface DocumentDeps {
  converter: Converter
  tesseract: string | undefined
}

type TextReader = Pick<PageReader, 'read'>

interface DocumentRequest {
  plan: ParserPlan
  content: ContentOptions
  requestedParts: PartRequests
  who: PermitOwner
  deadline: Deadline
  trace: Trace
  throwIfTooLarge: (page: Page) => void
}

interface DocumentFile {
  source: { path: string } | { bytes: Uint8Array }
  name: string
  mediaType: string | undefined
  url: string
}

export interface ReadDocument {
  content: PageParts
  page: Page
  paged: { converted: ConvertedPage[]; total: number } | undefined
  warnings: string[]
}

export async function readDocument(
  deps: DocumentDeps & { reader: TextReader },
  file: DocumentFile,
  request: DocumentRequest,
): Promise<ReadDocument> {
  return withPath(file.source, async (path) => {
    const { pdf, parses } = request.plan
    const { redaction } = request.requestedParts
    const timeoutMs = request.deadline.remaining()
    const options = { pdf, parses, tesseract: deps.tesseract, redaction, timeoutMs }
    const conversionRequest = { path, name: file.name, mediaType: file.mediaType, options }
    const conversion = await request.deadline.during('convert', (signal) =>
      deps.converter.convert(conversionRequest, request.who, signal),
    )
    // The encoding is best detected from the text itself; the content type of an upload is a guess of its sender.
    const headers = { 'content-type': conversion.mediaType }
    const urls = { requestedUrl: file.url, url: file.url }
    const page = { ...urls, status: 200, headers, bytes: new Uint8Array(), fetchedAt: 0 }
    const total = conversion.kind === 'converted' ? conversion.document.paged?.total : undefined
    const pageCount = total === undefined ? {} : { pages: total }
    request.trace.note({ step: 'convert', type: conversion.mediaType, ...pageCount })
    if (conversion.kind === 'converted') return readConverted(deps.reader, page, conversion.document, request)
    const bytes = await readFile(path)
    if (conversion.kind === 'raw') return readUnparsed(deps.reader, page, bytes, request)
    const textPage = { ...page, bytes }
    request.throwIfTooLarge(textPage)
    const content = isTextual(textPage) ? await read(deps.reader, textPage, request) : undefined
    if (!content) {
      const message = 'The file is not valid text: it is damaged, or its name has the wrong extension.'
      throw toProblemError({ kind: 'damaged', message })
    }
    return { content, page: textPage, paged: undefined, warnings: [] }
  })
}

async function read(
  reader: TextReader,
  page: Page,
  { content: options, requestedParts, who, deadline }: DocumentRequest,
): Promise<PageParts | undefined> {
  const request = { options, requestedParts, classifyMode: 'none' as const, who }
  const { parts } = await deadline.during('render', (signal) => reader.read(page, request, signal))
  return parts
}

/** Formats that need a tree use its HTML; its Markdown comes from the converter. */
async function readConverted(
  reader: TextReader,
  page: Page,
  document: ConvertedDocument,
  request: DocumentRequest,
): Promise<ReadDocument> {
  const text = `<!DOCTYPE html>\n<html><body>\n${document.html}</body></html>\n`
  const htmlPage = { ...page, headers: { 'content-type': 'text/html' }, text }
  const options = { ...request.content, onlyMainContent: false, onlyCleanContent: false }
  const choosesParts = options.includeTags.length > 0 || options.excludeTags.length > 0
  const { markdown, metadata, links, images, account, blocks, ...rest } = request.requestedParts
  const requestedParts = choosesParts && markdown ? { ...rest, markdown } : rest
  const content = await readRequested(reader, htmlPage, { ...request, content: options, requestedParts })
  return {
    content: {
      ...content,
      ...(!choosesParts && { markdown: () => document.markdown }),
      links: () => document.links,
      images: () => document.images,
      metadata: () => document.metadata,
    },
    page,
    paged: document.paged && { converted: document.paged.pages, total: document.paged.total },
    // A converted file has no site boilerplate, and the cleaning model supports only pages.
    warnings: request.content.onlyCleanContent
      ? [...document.warnings, 'onlyCleanContent has no effect on a file that is converted.']
      : document.warnings,
  }
}

async function readRequested(reader: TextReader, page: Page, request: DocumentRequest): Promise<PageParts> {
  const { redaction: _, ...requested } = request.requestedParts
  // Most requests need only the Markdown, which the converter already wrote.
  const hasNoParts = Object.keys(requested).length === 0
  const parts = await read(reader, hasNoParts ? { ...page, text: '' } : page, request)
  if (!parts) throw new Error('A converted document was not read')
  return parts
}

async function readUnparsed(
  reader: TextReader,
  page: Page,
  bytes: Uint8Array,
  request: DocumentRequest,
): Promise<ReadDocument> {
  const empty = { ...page, headers: { 'content-type': 'text/plain' } }
  const options = { ...request.content, onlyCleanContent: false }
  const content = await readRequested(reader, empty, { ...request, content: options })
  const toBase64 = () => JsonText.ofBase64(bytes)
  const warnings: string[] = []
  if (request.requestedParts.redaction) warnings.push('redactPII has no effect on a file that is not parsed.')
  if (request.content.onlyCleanContent)
    warnings.push('onlyCleanContent has no effect on a file that is not parsed.')
  return {
    content: { ...content, html: toBase64, markdown: toBase64, rawHtml: toBase64 },
    ...{ page, paged: undefined, warnings },
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

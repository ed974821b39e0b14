import { type Redaction, redact, shiftPositions } from '../extraction/redaction/redact.ts'
import { detectCharset } from './charset.ts'
import {
  type Conversion,
  type ConvertedDocument,
  type ConvertedPage,
  type ConvertOptions,
  DocumentProblem,
  type PageBlock,
} from './document.ts'
import type { DocumentType } from './types/document-type.ts'

export async function convertBytes(
  bytes: Buffer,
  type: DocumentType,
  options: ConvertOptions,
): Promise<Conversion> {
  const [label] = type.mediaTypes
  if (!type.converter) {
    const mediaType = type.detectsCharset ? `${label}; charset=${detectCharset(bytes)}` : label
    return { kind: 'page', mediaType }
  }
  const fallback = options.parses ? undefined : type.withoutParsers
  if (fallback === 'raw') return { kind: 'raw', mediaType: label }
  if (fallback) throw new DocumentProblem('unsupported', fallback.error)
  const { convert } = await type.converter()
  const document = await convert(bytes, type, options)
  const { redaction } = options
  const output = redaction ? redactDocument(document, redaction) : document
  return { kind: 'converted', mediaType: label, document: output }
}

function redactDocument(document: ConvertedDocument, redaction: Redaction): ConvertedDocument {
  const { markdown, paged } = document
  return {
    ...document,
    markdown: redact(markdown, redaction).text,
    ...(paged && { paged: { ...paged, pages: paged.pages.map((page) => redactPage(page, redaction)) } }),
  }
}

function redactPage(page: ConvertedPage, redaction: Redaction): ConvertedPage {
  const { text, replaced } = redact(page.markdown, redaction)
  const blocks = page.blocks.map((block) => ({ ...block, content: redact(block.content, redaction).text }))
  const edges = page.blocks.flatMap(({ markdownSpan: [from, to] }, block) => [
    { at: from, block, edge: 0 as const },
    { at: to, block, edge: 1 as const },
  ])
  const moved = shiftPositions(
    edges.sort((a, b) => a.at - b.at),
    replaced,
  )
  for (const { at, block, edge } of moved) {
    const redacted = blocks[block]
    if (redacted) redacted.markdownSpan = redacted.markdownSpan.with(edge, at) as PageBlock['markdownSpan']
  }
  return { ...page, markdown: text, blocks }
}

import { movedPositions, type Redaction, redact } from '../extraction/redaction/redact.ts'
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

/** A checked file → its conversion. */
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
  const instead = options.parses ? undefined : type.withoutParsers
  if (instead === 'raw') return { kind: 'raw', mediaType: label }
  if (instead) throw new DocumentProblem('unsupported', instead.refused)
  const { convert } = await type.converter()
  const document = await convert(bytes, type, options)
  const { redaction } = options
  const shown = redaction ? redactDocument(document, redaction) : document
  return { kind: 'converted', mediaType: label, document: shown }
}

/** A converted file without the personal data in its text, its pages and their blocks. */
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
  const moved = movedPositions(
    edges.sort((one, other) => one.at - other.at),
    replaced,
  )
  for (const { at, block, edge } of moved) {
    const redacted = blocks[block]
    if (redacted) redacted.markdownSpan = redacted.markdownSpan.with(edge, at) as PageBlock['markdownSpan']
  }
  return { ...page, markdown: text, blocks }
}

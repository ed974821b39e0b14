import { movedPositions, type Redaction, redact } from '../page-data/redaction.ts'
import type { ConvertedDocument, ConvertedPage, PageBlock } from './document.ts'

/** A converted file without the personal data in its text, its pages and their blocks. */
export function redactDocument(document: ConvertedDocument, redaction: Redaction): ConvertedDocument {
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

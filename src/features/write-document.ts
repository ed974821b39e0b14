import type { RenderedFormats } from '../extraction/formats/index.ts'
import { assertReplySize } from '../extraction/workers/serialize-parts.ts'

interface DocumentParts<Metadata> {
  rendered: Pick<RenderedFormats, 'fields'>
  /** Fields that accompany the formats: pages and blocks of a PDF, results of actions. */
  extraFields: Record<string, unknown>
  metadata: Metadata
  warnings: Iterable<string>
}

/** Builds the response document of a scrape or a parse. Throws if it exceeds the maximum size. */
export function writeDocument<Metadata>(parts: DocumentParts<Metadata>, maxBytes: number) {
  const warnings = new Set(parts.warnings)
  const document = {
    ...parts.rendered.fields,
    ...parts.extraFields,
    metadata: parts.metadata,
    ...(warnings.size > 0 ? { warning: [...warnings].join(' ') } : {}),
  }
  assertReplySize(document, maxBytes)
  return document
}

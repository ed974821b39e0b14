import type { RenderedFormats } from '../extraction/formats/render.ts'
import { assertReplySize } from '../extraction/workers/serialize-parts.ts'

interface Parts<Metadata> {
  rendered: Pick<RenderedFormats, 'fields'>
  /** Fields that come with the formats: pages and blocks of a PDF, results of actions. */
  beside: Record<string, unknown>
  metadata: Metadata
  /** Each is said once. */
  warnings: Iterable<string>
}

/** The last step of a scrape and of a parse: everything that was made → the document that is answered. */
export function writeDocument<Metadata>(parts: Parts<Metadata>, maxBytes: number) {
  const warnings = new Set(parts.warnings)
  const document = {
    ...parts.rendered.fields,
    ...parts.beside,
    metadata: parts.metadata,
    ...(warnings.size > 0 ? { warning: [...warnings].join(' ') } : {}),
  }
  assertReplySize(document, maxBytes)
  return document
}

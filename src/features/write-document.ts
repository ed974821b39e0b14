import type { RenderedFormats } from '../extraction/formats/index.ts'
import { assertReplySize } from '../extraction/workers/serialize-parts.ts'

interface DocumentParts<Metadata> {
  rendered: Pick<RenderedFormats, 'fields'>
  extraFields: Record<string, unknown>
  metadata: Metadata
  warnings: string[]
}

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

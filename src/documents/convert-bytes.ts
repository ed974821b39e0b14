import { detectCharset } from './charset.ts'
import { type Conversion, type ConvertOptions, DocumentProblem } from './document.ts'
import { redactDocument } from './redact-document.ts'
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
  const wanted = options.parses ? 'converted' : type.withoutParsers
  if (wanted === 'raw') return { kind: 'raw', mediaType: label }
  if (wanted !== 'converted') throw new DocumentProblem('unsupported', wanted.refused)
  const { convert } = await type.converter()
  const document = await convert(bytes, type, options)
  const { redaction } = options
  const shown = redaction ? redactDocument(document, redaction) : document
  return { kind: 'converted', mediaType: label, document: shown }
}

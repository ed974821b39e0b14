import { exportDocument } from '../../page-parts/export-document.ts'
import type { ExportRequestMessage, ExportResult } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ document, form }: ExportRequestMessage): RequestResult {
  const { url, text } = exportDocument(new TextDecoder().decode(document), form)
  const reply: ExportResult = { url, text: text === undefined ? undefined : new TextEncoder().encode(text) }
  return { reply }
}

import { exportDocument } from '../../page-parts/export-document.ts'
import type { Exported, ExportRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ document, form }: ExportRequestMessage): Done {
  const { url, text } = exportDocument(new TextDecoder().decode(document), form)
  const done: Exported = { url, text: text === undefined ? undefined : new TextEncoder().encode(text) }
  return { done }
}

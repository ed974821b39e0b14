import { exportDocument } from '../../page-data/export-document.ts'
import type { Exported, ExportRequestMessage } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ document, form }: ExportRequestMessage): Done {
  const { url, text } = exportDocument(new TextDecoder().decode(document), form)
  const done: Exported = { url, text: text === undefined ? undefined : new TextEncoder().encode(text) }
  return { done }
}

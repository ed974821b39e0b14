import papaparse from 'papaparse'
import { decodeFile } from './charset.ts'
import { type ConvertedDocument, DocumentProblem } from './document.ts'
import { renderMarkdownTable, toConvertedDocument } from './finish.ts'
import type { DocumentType } from './types/document-type.ts'

export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const text = decodeFile(bytes)
  // Spreadsheet programs write and read a first line that sets the separator.
  const [separatorLine, declaredDelimiter] = /^"?sep=(.)"?\r?\n/i.exec(text) ?? ['']
  const delimiter = declaredDelimiter ?? (type.name === 'tsv' ? '\t' : undefined)
  const options = { skipEmptyLines: 'greedy', ...(delimiter !== undefined && { delimiter }) } as const
  const { data: rows } = papaparse.parse<string[]>(text.slice(separatorLine.length), options)
  if (rows.length === 0) throw new DocumentProblem('empty', `The ${type.name} is empty.`)
  return toConvertedDocument(renderMarkdownTable(rows))
}

import papaparse from 'papaparse'
import { decodeFile } from './charset.ts'
import { type ConvertedDocument, DocumentProblem } from './document.ts'
import { finish } from './finish.ts'
import type { DocumentType } from './index.ts'
import { markdownTable } from './markdown-table.ts'

/** Tables as text: csv, and tsv, whatever stands between their cells. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const { data: rows } = papaparse.parse<string[]>(decodeFile(bytes), {
    skipEmptyLines: 'greedy',
    ...(type.name === 'tsv' ? { delimiter: '\t' } : {}),
  })
  if (rows.length === 0) throw new DocumentProblem('empty', `The ${type.name} is empty.`)
  return finish(markdownTable(rows))
}

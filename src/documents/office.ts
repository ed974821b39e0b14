import { type Document, toDocument } from '@firecrawl/anydoc'
import { DocumentProblem, type ProblemKind } from './document.ts'

/** Formats by the names the library has for them. Its enum exists only in its types, so the value is cast to it. */
type OfficeFormat = Parameters<typeof toDocument>[1]

/** Where the library's name is another; its reader tells the old and the binary format by their bytes. */
const named: Record<string, string> = { xls: 'xlsx', xlsb: 'xlsx' }

const problems: Record<string, ProblemKind> = {
  encrypted: 'encrypted',
  resourceLimit: 'limit',
}

/** An office file → its model. The library names what is wrong with a file; that becomes our own problem. */
export async function readOffice(bytes: Buffer, format: string): Promise<Document> {
  try {
    return await toDocument(bytes, (named[format] ?? format) as OfficeFormat)
  } catch (thrown) {
    throw officeProblem(thrown, format)
  }
}

function officeProblem(thrown: unknown, format: string): DocumentProblem {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const kind = problems[code] ?? 'damaged'
  const reason = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 200)
  if (kind === 'encrypted') {
    return new DocumentProblem(kind, `The ${format} is encrypted. Remove the password and send it again.`)
  }
  if (kind === 'limit') return new DocumentProblem(kind, `The ${format} exceeds a size limit: ${reason}`)
  return new DocumentProblem(kind, `The ${format} is damaged and could not be read: ${reason}`)
}

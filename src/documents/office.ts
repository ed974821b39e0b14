import { type Document, toDocument } from '@firecrawl/anydoc'
import { DocumentProblem, type ProblemKind } from './document.ts'

/** Formats by the names the library has for them. Its enum exists only in its types, so the value is cast to it. */
type OfficeFormat = Parameters<typeof toDocument>[1]

const problems: Record<string, ProblemKind> = {
  encrypted: 'encrypted',
  resourceLimit: 'limit',
}

/**
 * An office file of a type of that name → its model; the library may have another name for its format. It says what is
 * wrong with a file, which becomes our own problem.
 */
export async function readOffice(bytes: Buffer, type: string, format = type): Promise<Document> {
  try {
    return await toDocument(bytes, format as OfficeFormat)
  } catch (thrown) {
    throw officeProblem(thrown, type)
  }
}

function officeProblem(thrown: unknown, type: string): DocumentProblem {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const kind = problems[code] ?? 'damaged'
  const reason = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 200)
  if (kind === 'encrypted') {
    return new DocumentProblem(kind, `The ${type} is encrypted. Remove the password and send it again.`)
  }
  if (kind === 'limit') return new DocumentProblem(kind, `The ${type} exceeds a size limit: ${reason}`)
  return new DocumentProblem(kind, `The ${type} is damaged and could not be read: ${reason}`)
}

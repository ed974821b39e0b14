import { rewritePackage } from './check-package.ts'
import { createEncryptedProblem, DocumentProblem } from './document.ts'
import { documentTypes } from './index.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'

/** Checks a file before any library reads it. Returns the bytes that libraries may read; throws a DocumentProblem. */
export function checkDocument(bytes: Buffer, type: DocumentType): Buffer {
  const checked = type.container === 'zip' ? rewritePackage(bytes, type.name, checkPart) : bytes
  if (type.container === 'ole') checkOle(bytes, type)
  type.check?.(checked)
  return checked
}

const packageTypes = documentTypes.filter((type) => type.container === 'zip')

function checkPart(name: string, part: Buffer): void {
  for (const type of packageTypes) type.checkPart?.(name, part)
}

function checkOle(bytes: Buffer, { name, isEncrypted }: Extract<DocumentType, { container: 'ole' }>): void {
  const file = readOle(bytes)
  if (!file || file.streams.length === 0) {
    const message = `The file is not a valid ${name}: its container is cut off or damaged.`
    throw new DocumentProblem('damaged', message)
  }
  if (file.findStream('EncryptedPackage') || file.findStream('EncryptedSummary') || isEncrypted?.(file)) {
    throw createEncryptedProblem(name)
  }
}

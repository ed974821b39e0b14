import { checkOle } from './check-ole.ts'
import { checkPackage } from './check-package.ts'
import { documentTypes } from './index.ts'
import type { DocumentType } from './types/document-type.ts'

/** The checks that run before any library reads the bytes; throws a DocumentProblem. */
export function checkDocument(bytes: Buffer, type: DocumentType): void {
  if (type.container === 'zip') checkPackage(bytes, type.name, checkPart)
  if (type.container === 'ole') checkOle(bytes, type)
  type.check?.(bytes)
}

const packageTypes = documentTypes.filter((type) => type.container === 'zip')

function checkPart(name: string, part: Buffer): void {
  for (const type of packageTypes) type.checkPart?.(name, part)
}

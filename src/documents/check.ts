import { checkOle } from './check-ole.ts'
import { checkEntities, checkPackage } from './check-package.ts'
import { checkPdf } from './check-pdf.ts'
import type { DocumentType } from './types/document-type.ts'

/** What is looked at before any library sees the bytes; throws a DocumentProblem. */
export function checkDocument(bytes: Buffer, type: DocumentType): void {
  if (type.container === 'zip') checkPackage(bytes, type.name)
  if (type.container === 'ole') checkOle(bytes, type.name)
  if (type.name === 'pdf') checkPdf(bytes)
  if (type.name === 'xml' || type.name === 'xhtml') checkEntities(bytes)
}

import { documentTypes } from '../../src/documents/index.ts'
import type { DocumentType } from '../../src/documents/types/document-type.ts'

export function typeNamed(name: string): DocumentType {
  const documentType = documentTypes.find((type) => type.name === name)
  if (!documentType) throw new Error(`No such document type: ${name}`)
  return documentType
}

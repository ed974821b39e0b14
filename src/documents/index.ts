import * as all from './types/all.ts'
import type { DocumentType } from './types/document-type.ts'

export const documentTypes: DocumentType[] = Object.values(all).sort(
  (left, right) => (right.precedence ?? 0) - (left.precedence ?? 0) || (left.name < right.name ? -1 : 1),
)

const byExtension = new Map(
  documentTypes.flatMap((type) => type.extensions.map((extension) => [extension, type])),
)
const byMediaType = new Map(documentTypes.flatMap((type) => type.mediaTypes.map((media) => [media, type])))

export function getPlainTextType(): DocumentType {
  const documentType = documentTypes.find((type) => type.container === 'text' && type.isAnyText)
  if (!documentType) throw new Error('No document type is any text')
  return documentType
}

export const findTypeByName = (name: string) => byExtension.get(extensionOf(name))

export function findTypeByMediaType(mediaType: string | undefined): DocumentType | undefined {
  return byMediaType.get(mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

export function extensionOf(name: string): string {
  return /\.([^./\\]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

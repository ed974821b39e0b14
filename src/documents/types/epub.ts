import { defineDocumentType } from './document-type.ts'

export const epub = defineDocumentType({
  name: 'epub',
  extensions: ['epub'],
  mediaTypes: ['application/epub+zip'],
  container: 'zip',
  isPackage: (parts) => parts.has('META-INF/container.xml'),
  converter: () => import('../book.ts'),
  withoutParsers: 'converted',
})

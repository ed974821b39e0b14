import { defineDocumentType } from './document-type.ts'

export const odt = defineDocumentType({
  name: 'odt',
  extensions: ['odt', 'ott'],
  mediaTypes: ['application/vnd.oasis.opendocument.text'],
  container: 'zip',
  converter: () => import('../word.ts'),
})

export const ods = defineDocumentType({
  name: 'ods',
  extensions: ['ods', 'ots'],
  mediaTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
  container: 'zip',
  converter: () => import('../spreadsheet.ts'),
})

export const odp = defineDocumentType({
  name: 'odp',
  extensions: ['odp', 'otp'],
  mediaTypes: ['application/vnd.oasis.opendocument.presentation'],
  container: 'zip',
  converter: () => import('../slides.ts'),
})

export const epub = defineDocumentType({
  name: 'epub',
  extensions: ['epub'],
  mediaTypes: ['application/epub+zip'],
  container: 'zip',
  isPackage: (parts) => parts.has('META-INF/container.xml'),
  converter: () => import('../book.ts'),
})

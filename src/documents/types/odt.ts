import { defineDocumentType } from './document-type.ts'

export const odt = defineDocumentType({
  name: 'odt',
  extensions: ['odt', 'ott'],
  mediaTypes: ['application/vnd.oasis.opendocument.text'],
  container: 'zip',
  converter: () => import('../word.ts'),
  withoutParsers: 'converted',
})

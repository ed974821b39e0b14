import { defineDocumentType } from './document-type.ts'

export const ods = defineDocumentType({
  name: 'ods',
  extensions: ['ods', 'ots'],
  mediaTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
  container: 'zip',
  converter: () => import('../spreadsheet.ts'),
  withoutParsers: 'converted',
})

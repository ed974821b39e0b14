import { defineDocumentType } from './document-type.ts'

export const xls = defineDocumentType({
  name: 'xls',
  extensions: ['xls', 'xlt'],
  mediaTypes: ['application/vnd.ms-excel'],
  container: 'ole',
  precedence: 1,
  isCompound: (hasStream) => hasStream('Workbook') || hasStream('Book'),
  converter: () => import('../spreadsheet.ts'),
})

import { defineDocumentType } from './document-type.ts'

export const xlsb = defineDocumentType({
  name: 'xlsb',
  extensions: ['xlsb'],
  mediaTypes: ['application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  container: 'zip',
  // Its folder is that of an xlsx.
  precedence: 4,
  isPackage: (parts) => parts.has('xl/workbook.bin'),
  converter: () => import('../spreadsheet.ts'),
  withoutParsers: 'converted',
})

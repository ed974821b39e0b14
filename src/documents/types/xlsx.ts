import { decodeMarkup } from '../markup-text.ts'
import { checkSheetSpan } from '../sheet-span.ts'
import { defineDocumentType } from './document-type.ts'

export const xlsx = defineDocumentType({
  name: 'xlsx',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  container: 'zip',
  precedence: 2,
  isPackage: (parts) => parts.hasFolder('xl'),
  // Also by content: a workbook may refer to a sheet by any name.
  checkPart(name, part) {
    const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(name) || decodeMarkup(part).includes('sheetData')
    if (isSheet) checkSheetSpan(part)
  },
  converter: () => import('../spreadsheet.ts'),
  withoutParsers: 'converted',
})

import { checkSheetSpan } from '../sheet-span.ts'
import { defineDocumentType } from './document-type.ts'

export const xlsx = defineDocumentType({
  name: 'xlsx',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  container: 'zip',
  precedence: 2,
  isPackage: (parts) => parts.hasFolder('xl'),
  checkPart(name, part) {
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) checkSheetSpan(part)
  },
  converter: () => import('../spreadsheet.ts'),
  withoutParsers: 'converted',
})

import { checkPdf } from '../check-pdf.ts'
import { defineDocumentType } from './document-type.ts'

export const pdf = defineDocumentType({
  name: 'pdf',
  extensions: ['pdf'],
  mediaTypes: ['application/pdf', 'application/x-pdf'],
  container: 'binary',
  // Readers accept the mark anywhere in the first kilobyte, and writers make use of it. Others only mention it: markup, and
  // what begins with the letters of a bitmap.
  beginsLike: ({ text, trimmed }) => text.includes('%PDF-') && !/^(?:<|BM)/.test(trimmed),
  asText: /%PDF-\d/,
  check: checkPdf,
  converter: () => import('../pdf/pdf.ts'),
  withoutParsers: 'raw',
})

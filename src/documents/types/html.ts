import { defineDocumentType } from './document-type.ts'

export const html = defineDocumentType({
  name: 'html',
  extensions: ['html', 'htm'],
  mediaTypes: ['text/html'],
  container: 'text',
  isMarkup: (start) => /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start),
})

import { defineDocumentType } from './document-type.ts'

export const txt = defineDocumentType({
  name: 'txt',
  extensions: ['txt', 'text', 'log'],
  mediaTypes: ['text/plain'],
  container: 'text',
  isAnyText: true,
  detectsCharset: true,
})

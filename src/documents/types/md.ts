import { defineDocumentType } from './document-type.ts'

export const md = defineDocumentType({
  name: 'md',
  extensions: ['md', 'markdown'],
  mediaTypes: ['text/markdown'],
  container: 'text',
  detectsCharset: true,
})

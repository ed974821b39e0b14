import { defineDocumentType } from './document-type.ts'

export const tsv = defineDocumentType({
  name: 'tsv',
  extensions: ['tsv', 'tab'],
  mediaTypes: ['text/tab-separated-values'],
  container: 'text',
  converter: () => import('../delimited.ts'),
  withoutParsers: 'converted',
})

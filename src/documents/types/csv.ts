import { defineDocumentType } from './document-type.ts'

export const csv = defineDocumentType({
  name: 'csv',
  extensions: ['csv'],
  mediaTypes: ['text/csv', 'application/csv'],
  container: 'text',
  converter: () => import('../delimited.ts'),
  withoutParsers: 'converted',
})

import { defineDocumentType } from './document-type.ts'

export const json = defineDocumentType({
  name: 'json',
  extensions: ['json', 'jsonl', 'ndjson', 'geojson'],
  mediaTypes: ['application/json'],
  container: 'text',
})

import { checkEntities } from '../check-package.ts'
import { defineDocumentType } from './document-type.ts'

export const txt = defineDocumentType({
  name: 'txt',
  extensions: ['txt', 'text', 'log'],
  mediaTypes: ['text/plain'],
  container: 'text',
  isAnyText: true,
  detectsCharset: true,
})

export const md = defineDocumentType({
  name: 'md',
  extensions: ['md', 'markdown'],
  mediaTypes: ['text/markdown'],
  container: 'text',
  detectsCharset: true,
})

export const csv = defineDocumentType({
  name: 'csv',
  extensions: ['csv'],
  mediaTypes: ['text/csv', 'application/csv'],
  container: 'text',
  converter: () => import('../delimited.ts'),
})

export const tsv = defineDocumentType({
  name: 'tsv',
  extensions: ['tsv', 'tab'],
  mediaTypes: ['text/tab-separated-values'],
  container: 'text',
  converter: () => import('../delimited.ts'),
})

export const json = defineDocumentType({
  name: 'json',
  extensions: ['json', 'jsonl', 'ndjson', 'geojson'],
  mediaTypes: ['application/json'],
  container: 'text',
})

export const xml = defineDocumentType({
  name: 'xml',
  extensions: ['xml'],
  mediaTypes: ['application/xml', 'text/xml'],
  container: 'text',
  check: checkEntities,
})

export const html = defineDocumentType({
  name: 'html',
  extensions: ['html', 'htm'],
  mediaTypes: ['text/html'],
  container: 'text',
  isMarkup: (start) => /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start),
})

export const xhtml = defineDocumentType({
  name: 'xhtml',
  extensions: ['xhtml', 'xht'],
  mediaTypes: ['application/xhtml+xml'],
  container: 'text',
  check: checkEntities,
})

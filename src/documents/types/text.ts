import { checkEntities } from '../markup-text.ts'
import { typesOf } from './document-type.ts'

const table = () => import('../delimited.ts')

export const { txt, md, csv, tsv, json, xml, html, xhtml } = typesOf('text', {
  txt: {
    extensions: ['txt', 'text', 'log'],
    mediaTypes: ['text/plain'],
    isAnyText: true,
    detectsCharset: true,
  },
  md: { extensions: ['md', 'markdown'], mediaTypes: ['text/markdown'], detectsCharset: true },
  csv: { extensions: ['csv'], mediaTypes: ['text/csv', 'application/csv'], converter: table },
  tsv: { extensions: ['tsv', 'tab'], mediaTypes: ['text/tab-separated-values'], converter: table },
  json: { extensions: ['json', 'jsonl', 'ndjson', 'geojson'], mediaTypes: ['application/json'] },
  xml: { extensions: ['xml'], mediaTypes: ['application/xml', 'text/xml'], check: checkEntities },
  html: {
    extensions: ['html', 'htm'],
    mediaTypes: ['text/html'],
    isMarkup: (start) => /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start),
  },
  xhtml: { extensions: ['xhtml', 'xht'], mediaTypes: ['application/xhtml+xml'], check: checkEntities },
})

import { defineDocumentType } from './document-type.ts'

export const rtf = defineDocumentType({
  name: 'rtf',
  extensions: ['rtf'],
  mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext'],
  container: 'binary',
  precedence: 1,
  beginsLike: (start) => start.begins('{\\rtf'),
  asText: /\{\\rtf1/,
  takesText: true,
  converter: () => import('../word.ts'),
  withoutParsers: 'converted',
})

import { checkEntities } from '../check-package.ts'
import { defineDocumentType } from './document-type.ts'

export const xml = defineDocumentType({
  name: 'xml',
  extensions: ['xml'],
  mediaTypes: ['application/xml', 'text/xml'],
  container: 'text',
  check: checkEntities,
})

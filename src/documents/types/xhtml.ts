import { checkEntities } from '../check-package.ts'
import { defineDocumentType } from './document-type.ts'

export const xhtml = defineDocumentType({
  name: 'xhtml',
  extensions: ['xhtml', 'xht'],
  mediaTypes: ['application/xhtml+xml'],
  container: 'text',
  check: checkEntities,
})

import { defineDocumentType } from './document-type.ts'

export const odp = defineDocumentType({
  name: 'odp',
  extensions: ['odp', 'otp'],
  mediaTypes: ['application/vnd.oasis.opendocument.presentation'],
  container: 'zip',
  converter: () => import('../slides.ts'),
  withoutParsers: 'converted',
})

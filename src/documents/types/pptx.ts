import { defineDocumentType } from './document-type.ts'

export const pptx = defineDocumentType({
  name: 'pptx',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  container: 'zip',
  precedence: 1,
  isPackage: (parts) => parts.hasFolder('ppt'),
  converter: () => import('../slides.ts'),
  withoutParsers: 'converted',
})

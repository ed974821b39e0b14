import { defineDocumentType } from './document-type.ts'

export const ppt = defineDocumentType({
  name: 'ppt',
  extensions: ['ppt', 'pps', 'pot'],
  mediaTypes: ['application/vnd.ms-powerpoint'],
  container: 'ole',
  isCompound: (hasStream) => hasStream('PowerPoint Document'),
  converter: () => import('../slides.ts'),
  withoutParsers: 'converted',
})

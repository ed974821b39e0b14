import { defineDocumentType } from './document-type.ts'

export const doc = defineDocumentType({
  name: 'doc',
  extensions: ['doc', 'dot'],
  mediaTypes: ['application/msword'],
  container: 'ole',
  precedence: 2,
  isCompound: (hasStream) => hasStream('WordDocument'),
  takesText: true,
  converter: () => import('../word.ts'),
})

import { defineDocumentType } from './document-type.ts'

export const docx = defineDocumentType({
  name: 'docx',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  container: 'zip',
  precedence: 3,
  isPackage: (parts) => parts.hasFolder('word'),
  converter: () => import('../word.ts'),
  withoutParsers: 'converted',
})

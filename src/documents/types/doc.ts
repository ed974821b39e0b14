import { defineDocumentType } from './document-type.ts'

export const doc = defineDocumentType({
  name: 'doc',
  extensions: ['doc', 'dot'],
  mediaTypes: ['application/msword'],
  container: 'ole',
  precedence: 2,
  isCompound: (hasStream) => hasStream('WordDocument'),
  isEncrypted(file) {
    const stream = file.named('WordDocument')
    const start = stream ? file.read(stream, 12) : Buffer.alloc(0)
    return start.length >= 12 && (start.readUInt16LE(10) & 0x0100) !== 0
  },
  takesText: true,
  converter: () => import('../word.ts'),
  withoutParsers: 'converted',
})

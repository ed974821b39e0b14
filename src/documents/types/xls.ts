import { defineDocumentType } from './document-type.ts'

export const xls = defineDocumentType({
  name: 'xls',
  extensions: ['xls', 'xlt'],
  mediaTypes: ['application/vnd.ms-excel'],
  container: 'ole',
  precedence: 1,
  isCompound: (hasStream) => hasStream('Workbook') || hasStream('Book'),
  isEncrypted(file) {
    const stream = file.named('Workbook') ?? file.named('Book')
    return stream !== undefined && hasFilePass(file.read(stream, 4096))
  },
  converter: () => import('../spreadsheet.ts'),
  withoutParsers: 'converted',
})

/** The record that says how the rest is encrypted stands among the first ones. */
function hasFilePass(start: Buffer): boolean {
  for (let at = 0, records = 0; at + 4 <= start.length && records < 20; records += 1) {
    if (start.readUInt16LE(at) === 0x2f) return true
    at += 4 + start.readUInt16LE(at + 2)
  }
  return false
}

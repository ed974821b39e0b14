import { DocumentProblem } from './document.ts'
import { type OleFile, readOle } from './ole.ts'

/** Refuses what a password protects, by the marks that each program leaves in the clear. */
export function checkOle(bytes: Buffer, type: string): void {
  const file = readOle(bytes)
  if (!file || file.streams.length === 0) {
    throw new DocumentProblem(
      'damaged',
      `The file is not a valid ${type}: its container is cut off or damaged.`,
    )
  }
  if (isEncrypted(file)) {
    throw new DocumentProblem('encrypted', `The ${type} is encrypted. Remove the password and send it again.`)
  }
}

function isEncrypted(file: OleFile): boolean {
  const { named } = file
  if (named('EncryptedPackage') || named('EncryptedSummary')) return true
  const word = named('WordDocument')
  if (word) {
    const start = file.read(word, 12)
    return start.length >= 12 && (start.readUInt16LE(10) & 0x0100) !== 0
  }
  const workbook = named('Workbook') ?? named('Book')
  return workbook !== undefined && hasFilePass(file.read(workbook, 4096))
}

/** The record that says how the rest is encrypted stands among the first ones. */
function hasFilePass(start: Buffer): boolean {
  for (let at = 0, records = 0; at + 4 <= start.length && records < 20; records += 1) {
    if (start.readUInt16LE(at) === 0x2f) return true
    at += 4 + start.readUInt16LE(at + 2)
  }
  return false
}

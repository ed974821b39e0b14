import { DocumentProblem } from './document.ts'
import { type OleFile, readOle } from './ole.ts'

interface Checked {
  name: string
  isEncrypted?(file: OleFile): boolean
}

/** Rejects an unreadable container and a password-protected file. */
export function checkOle(bytes: Buffer, { name, isEncrypted }: Checked): void {
  const file = readOle(bytes)
  if (!file || file.streams.length === 0) {
    throw new DocumentProblem(
      'damaged',
      `The file is not a valid ${name}: its container is cut off or damaged.`,
    )
  }
  if (file.named('EncryptedPackage') || file.named('EncryptedSummary') || isEncrypted?.(file)) {
    throw new DocumentProblem('encrypted', `The ${name} is encrypted. Remove the password and send it again.`)
  }
}

import { createEncryptedProblem, DocumentProblem } from './document.ts'
import { documentTypes } from './index.ts'
import { checkEntities } from './markup-text.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'
import { checkZipEntries, readZipDirectory, readZipEntry, withParts, type ZipEntry } from './zip.ts'

/** Checks a file before any library reads it. Returns the bytes that libraries may read; throws a DocumentProblem. */
export function checkDocument(bytes: Buffer, type: DocumentType): Buffer {
  const checked = type.container === 'zip' ? rewritePackage(bytes, type.name, checkPart) : bytes
  if (type.container === 'ole') checkOle(bytes, type)
  type.check?.(checked)
  return checked
}

const packageTypes = documentTypes.filter((type) => type.container === 'zip')

function checkPart(name: string, part: Buffer): void {
  for (const type of packageTypes) type.checkPart?.(name, part)
}

function checkOle(bytes: Buffer, { name, isEncrypted }: Extract<DocumentType, { container: 'ole' }>): void {
  const file = readOle(bytes)
  if (!file || file.streams.length === 0) {
    const message = `The file is not a valid ${name}: its container is cut off or damaged.`
    throw new DocumentProblem('damaged', message)
  }
  if (file.findStream('EncryptedPackage') || file.findStream('EncryptedSummary') || isEncrypted?.(file)) {
    throw createEncryptedProblem(name)
  }
}

/** Maximum size of all decompressed parts. The largest real package in the benchmark has 30 MB. */
const maxBytes = 400 * 1024 * 1024
const maxInOnePart = 200 * 1024 * 1024
/** Text compresses about 20:1; a much better ratio indicates an attack. */
const maxCompressionRatio = 250
const maxUncheckedRatioBytes = 20 * 1024 * 1024

/** The result has only the checked parts, because libraries read zip files in different ways. */
export function rewritePackage(
  bytes: Buffer,
  type: string,
  checkPart: (name: string, part: Buffer) => void,
): Buffer {
  const listed = readZipDirectory(bytes)
  if (!listed) {
    const message = `The file is not a valid ${type}: its package is cut off or damaged.`
    throw new DocumentProblem('damaged', message)
  }
  const entries = checkZipEntries(bytes, listed)
  if (entries.some((entry) => entry.isEncrypted)) throw createEncryptedProblem(type)
  checkSizes(entries)
  // Check every part: references can point to any name, and lenient readers skip bytes before the first tag.
  for (const entry of entries) {
    const part = readZipEntry(bytes, entry)
    checkEntities(part)
    if (entry.name === 'META-INF/manifest.xml' && part.includes('encryption-data'))
      throw createEncryptedProblem(type)
    checkPart(entry.name, part)
  }
  return withParts(bytes, entries, new Map())
}

function checkSizes(entries: ZipEntry[]): void {
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
  const unpacked = entries.reduce((sum, entry) => sum + entry.size, 0)
  const largest = entries.reduce((max, entry) => Math.max(max, entry.size), 0)
  const isBomb = unpacked > maxUncheckedRatioBytes && unpacked / Math.max(1, packed) > maxCompressionRatio
  if (unpacked <= maxBytes && largest <= maxInOnePart && !isBomb) return
  const megabytes = Math.round(unpacked / 1024 / 1024)
  throw new DocumentProblem('limit', `The file expands to ${megabytes} MB, which exceeds the size limit.`)
}

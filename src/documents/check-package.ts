import { DocumentProblem } from './document.ts'
import { decodeMarkup } from './markup-text.ts'
import { checkZipEntries, readZipDirectory, readZipEntry, withParts, type ZipEntry } from './zip.ts'

/** Decompressed size of all parts. The largest real package in the benchmark has 30 MB. */
const maxBytes = 400 * 1024 * 1024
const maxInOnePart = 200 * 1024 * 1024
/** Text compresses about twenty to one; a large file with a much better ratio is an attack. */
const mostRatio = 250
const freeOfRatio = 20 * 1024 * 1024

/**
 * Rejects a package that is dangerous to decompress, and returns a new one that has only the checked parts. Libraries read zip
 * files in different ways (other directories, local headers, data before the first part); in the new package all ways lead to
 * the parts that were checked here.
 */
export function rewritePackage(
  bytes: Buffer,
  type: string,
  checkPart: (name: string, part: Buffer) => void,
): Buffer {
  const listed = readZipDirectory(bytes)
  if (!listed)
    throw new DocumentProblem(
      'damaged',
      `The file is not a valid ${type}: its package is cut off or damaged.`,
    )
  const entries = checkZipEntries(bytes, listed)
  if (entries.some((entry) => entry.isEncrypted)) throw encrypted(type)
  checkSizes(entries)
  // Every part, whatever its name and its beginning: references in a package may point to any name, and lenient readers skip
  // what is in front of the first tag.
  for (const entry of entries) {
    const part = readZipEntry(bytes, entry)
    checkEntities(part)
    if (entry.name === 'META-INF/manifest.xml' && part.includes('encryption-data')) throw encrypted(type)
    checkPart(entry.name, part)
  }
  return withParts(bytes, entries, new Map())
}

function encrypted(type: string): DocumentProblem {
  return new DocumentProblem('encrypted', `The ${type} is encrypted. Remove the password and send it again.`)
}

function checkSizes(entries: ZipEntry[]): void {
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
  const unpacked = entries.reduce((sum, entry) => sum + entry.size, 0)
  const largest = entries.reduce((most, entry) => Math.max(most, entry.size), 0)
  const isBomb = unpacked > freeOfRatio && unpacked / Math.max(1, packed) > mostRatio
  if (unpacked <= maxBytes && largest <= maxInOnePart && !isBomb) return
  const megabytes = Math.round(unpacked / 1024 / 1024)
  throw new DocumentProblem('limit', `The file expands to ${megabytes} MB, which exceeds the size limit.`)
}

/** Entities can refer to files of this machine, or to each other a billion times; no office program writes them. */
export function checkEntities(part: Buffer): void {
  if (decodeMarkup(part).includes('<!ENTITY')) {
    throw new DocumentProblem('damaged', 'The file declares XML entities, which is not valid in a document.')
  }
}

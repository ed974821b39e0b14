import { type ConversionRequest, createEncryptedProblem, DocumentProblem } from './document.ts'
import { documentTypes, extensionOf, findTypeByMediaType, findTypeByName, getPlainTextType } from './index.ts'
import { readOle } from './ole.ts'
import { type DocumentType, readFileStart } from './types/document-type.ts'
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts'

type FileFacts = Pick<ConversionRequest, 'name' | 'mediaType'> & { bytes: Buffer }

export function sniff(file: FileFacts): DocumentType {
  if (file.bytes.length === 0) throw new DocumentProblem('empty', 'The file is empty.')
  const expected = findTypeByName(file.name) ?? findTypeByMediaType(file.mediaType)
  const detected = detectSignature(file.bytes)
  if (detected === 'zip') return detectPackage(file.bytes) ?? throwUnsupported(file, expected)
  if (detected === 'ole') return detectCompound(file.bytes) ?? throwUnsupported(file, expected)
  if (detected) return detected
  if (looksBinary(file.bytes))
    return expected?.container === 'text' ? expected : throwUnsupported(file, expected)
  return detectText(file, expected)
}

const binaryTypes = documentTypes.filter((type) => type.container === 'binary')
const packageTypes = documentTypes.filter((type) => type.container === 'zip')
const compoundTypes = documentTypes.filter((type) => type.container === 'ole')
const textTypes = documentTypes.filter((type) => type.container === 'text')

export function detectSignature(bytes: Buffer): DocumentType | 'zip' | 'ole' | undefined {
  const start = readFileStart(bytes)
  if (start.begins('PK\x03\x04', 'PK\x05\x06')) return 'zip'
  if (start.begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'ole'
  return binaryTypes.find((type) => type.matchesStart(start))
}

function detectPackage(bytes: Buffer): DocumentType | undefined {
  const entries = readZipDirectory(bytes)
  if (!entries) return undefined
  const declared = entries.find((entry) => entry.name === 'mimetype')
  const declaredType =
    declared && declared.size < 200 ? findTypeByMediaType(readMediaType(bytes, declared)) : undefined
  if (declaredType) return declaredType
  const names = entries.map((entry) => entry.name)
  return packageTypes.find((type) => type.isPackage?.(names))
}

function readMediaType(bytes: Buffer, entry: ZipEntry): string | undefined {
  try {
    const text = readZipEntry(bytes, entry).toString('latin1')
    return text.trim().replace(/-template$/, '')
  } catch {
    return undefined
  }
}

function detectCompound(bytes: Buffer): DocumentType | undefined {
  const file = readOle(bytes)
  const has = (name: string) => file?.findStream(name) !== undefined
  const documentType = compoundTypes.find((type) => type.isCompound(has))
  if (documentType) return documentType
  if (has('EncryptedPackage')) throw createEncryptedProblem('file')
  return undefined
}

function detectText(file: FileFacts, expected: DocumentType | undefined): DocumentType {
  if (expected?.container === 'text') return expected
  const start = file.bytes
    .toString('latin1', 0, 4096)
    .replace(/^(?:\xef\xbb\xbf)?(?:\s+|<!--[\s\S]*?-->|<\?xml[^>]*>)+/, '')
  const markup = textTypes.find((type) => type.isMarkup?.(start))
  if (markup) return markup
  const isAnyText = expected ? expected.allowsPlainText : extensionOf(file.name) === ''
  return isAnyText ? getPlainTextType() : throwUnsupported(file, expected)
}

function looksBinary(bytes: Buffer): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return false
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes.toString('latin1', 0, 4096))
}

function throwUnsupported(file: FileFacts, expected: DocumentType | undefined): never {
  if (expected) {
    const message = `The file is not a valid ${expected.name}: its content is damaged or of another type.`
    throw new DocumentProblem('damaged', message)
  }
  const extension = extensionOf(file.name)
  const subject = extension === '' ? 'This file type' : `The file type .${extension}`
  const message = `${subject} is not supported. Send a PDF, office, HTML, text or image file.`
  throw new DocumentProblem('unsupported', message)
}

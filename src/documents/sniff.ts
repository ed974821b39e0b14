import { DocumentProblem } from './document.ts'
import { type DocumentType, extensionOf, typeNamed, typeOfMediaType, typeOfName } from './index.ts'
import { readOle } from './ole.ts'
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts'

export interface FileFacts {
  bytes: Buffer
  name: string
  mediaType: string | undefined
}

/** What a file is. Its bytes decide; where they say nothing, its name does, then the label it came with. */
export function sniff(file: FileFacts): DocumentType {
  if (file.bytes.length === 0) throw new DocumentProblem('empty', 'The file is empty.')
  const promised = typeOfName(file.name) ?? typeOfMediaType(file.mediaType)
  const found = signatureOf(file.bytes)
  if (found === 'zip') return ofPackage(file.bytes) ?? refuse(file, promised)
  if (found === 'ole') return ofCompound(file.bytes) ?? refuse(file, promised)
  if (found) return typeNamed(found)
  if (looksBinary(file.bytes)) return promised?.container === 'text' ? promised : refuse(file, promised)
  return ofText(file, promised)
}

const signatures: [string, string][] = [
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'ole'],
  ['{\\rtf', 'rtf'],
  ['\x89PNG\r\n', 'image'],
  ['\xff\xd8\xff', 'image'],
  ['GIF8', 'image'],
  ['II*\x00', 'image'],
  ['MM\x00*', 'image'],
  ['BM', 'bmp'],
]

export function signatureOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 1024)
  const trimmed = head.replace(/^(?:\xef\xbb\xbf)?\s+/, '')
  const found = signatures.find(
    ([signature]) => head.startsWith(signature) || trimmed.startsWith(signature),
  )?.[1]
  // "BM" alone begins many a word: a picture also states its size and holds zeros where nothing is said.
  if (found === 'bmp') return bytes.length > 26 && bytes.readUInt32LE(6) === 0 ? 'image' : undefined
  if (found) return found
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image'
  // Readers of PDF accept a header anywhere in the first kilobyte, and writers make use of it.
  return head.includes('%PDF-') && !trimmed.startsWith('<') ? 'pdf' : undefined
}

function ofPackage(bytes: Buffer): DocumentType | undefined {
  const entries = readZipDirectory(bytes)
  if (!entries) return undefined
  const names = new Set(entries.map((entry) => entry.name))
  const starts = (prefix: string) => entries.some((entry) => entry.name.startsWith(prefix))
  const declared = entries.find((entry) => entry.name === 'mimetype')
  const media = declared && declared.size < 200 ? textOf(bytes, declared) : undefined
  const stated = typeOfMediaType(media?.replace(/-template$/, ''))
  if (stated) return stated
  if (names.has('xl/workbook.bin')) return typeNamed('xlsb')
  if (starts('word/')) return typeNamed('docx')
  if (starts('xl/')) return typeNamed('xlsx')
  if (starts('ppt/')) return typeNamed('pptx')
  return names.has('META-INF/container.xml') ? typeNamed('epub') : undefined
}

function textOf(bytes: Buffer, entry: ZipEntry): string | undefined {
  try {
    return readZipEntry(bytes, entry).toString('latin1').trim()
  } catch {
    return undefined
  }
}

function ofCompound(bytes: Buffer): DocumentType | undefined {
  const file = readOle(bytes)
  const has = (name: string) => file?.named(name) !== undefined
  if (has('WordDocument')) return typeNamed('doc')
  if (has('Workbook') || has('Book')) return typeNamed('xls')
  if (has('PowerPoint Document')) return typeNamed('ppt')
  if (has('EncryptedPackage')) {
    throw new DocumentProblem('encrypted', 'The file is encrypted. Remove the password and send it again.')
  }
  return undefined
}

/** Text has no signature. Markup is known by its start; for the rest a name has to speak. */
function ofText(file: FileFacts, promised: DocumentType | undefined): DocumentType {
  const start = file.bytes
    .toString('latin1', 0, 4096)
    .replace(/^(?:\xef\xbb\xbf)?(?:\s+|<!--[\s\S]*?-->|<\?xml[^>]*>)+/, '')
  const isHtml = /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start)
  if (promised?.container === 'text') return promised
  if (isHtml) return typeNamed('html')
  // A text that only claims to be a word processor's opens there too.
  if (promised && ['doc', 'rtf'].includes(promised.name)) return typeNamed('txt')
  if (!promised && extensionOf(file.name) === '') return typeNamed('txt')
  return refuse(file, promised)
}

/** Control characters that no text has, unless it is one of two bytes per character. */
function looksBinary(bytes: Buffer): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return false
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes.toString('latin1', 0, 4096))
}

function refuse(file: FileFacts, promised: DocumentType | undefined): never {
  if (promised) {
    throw new DocumentProblem(
      'damaged',
      `The file is not a valid ${promised.name}: its content is damaged or something else.`,
    )
  }
  const extension = extensionOf(file.name)
  const what = extension === '' ? 'This type of file' : `The file type .${extension}`
  throw new DocumentProblem(
    'unsupported',
    `${what} is not supported. Send a PDF, office, HTML, text or image file.`,
  )
}

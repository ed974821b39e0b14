/** A kind of file: what it is called, and how it is read. */
export interface DocumentType {
  name: string
  extensions: string[]
  mediaTypes: string[]
  /**
   * `page`: read as a web page is, in this process, under the media type given first. Anything else names the converter
   * that a child process runs.
   */
  converter: 'page' | 'pdf' | 'word' | 'spreadsheet' | 'slides' | 'book' | 'delimited' | 'image'
  /** How the bytes are laid out, which decides what is checked before a library sees them. */
  container: 'text' | 'zip' | 'ole' | 'pdf' | 'image' | 'rtf'
}

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Every type of file that is understood. */
export const documentTypes: DocumentType[] = [
  type('pdf', 'pdf', 'pdf', ['application/pdf', 'application/x-pdf']),
  type('docx', 'word', 'zip', [`${office}.wordprocessingml.document`], ['docx', 'docm', 'dotx', 'dotm']),
  type('doc', 'word', 'ole', ['application/msword'], ['doc', 'dot']),
  type('odt', 'word', 'zip', [`${openDocument}.text`], ['odt', 'ott']),
  type('rtf', 'word', 'rtf', ['application/rtf', 'text/rtf', 'text/richtext']),
  type('xlsx', 'spreadsheet', 'zip', [`${office}.spreadsheetml.sheet`], ['xlsx', 'xlsm', 'xltx', 'xltm']),
  type('xlsb', 'spreadsheet', 'zip', ['application/vnd.ms-excel.sheet.binary.macroenabled.12']),
  type('xls', 'spreadsheet', 'ole', ['application/vnd.ms-excel'], ['xls', 'xlt']),
  type('ods', 'spreadsheet', 'zip', [`${openDocument}.spreadsheet`], ['ods', 'ots']),
  type(
    'pptx',
    'slides',
    'zip',
    [`${office}.presentationml.presentation`],
    ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  ),
  type('ppt', 'slides', 'ole', ['application/vnd.ms-powerpoint'], ['ppt', 'pps', 'pot']),
  type('odp', 'slides', 'zip', [`${openDocument}.presentation`], ['odp', 'otp']),
  type('epub', 'book', 'zip', ['application/epub+zip']),
  type('csv', 'delimited', 'text', ['text/csv', 'application/csv']),
  type('tsv', 'delimited', 'text', ['text/tab-separated-values'], ['tsv', 'tab']),
  type(
    'image',
    'image',
    'image',
    ['image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'image/bmp', 'image/gif'],
    [...['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'bmp', 'gif']],
  ),
  type('html', 'page', 'text', ['text/html'], ['html', 'htm']),
  type('xhtml', 'page', 'text', ['application/xhtml+xml'], ['xhtml', 'xht']),
  type('md', 'page', 'text', ['text/markdown'], ['md', 'markdown']),
  type('txt', 'page', 'text', ['text/plain'], ['txt', 'text', 'log']),
  type('json', 'page', 'text', ['application/json'], ['json', 'jsonl', 'ndjson', 'geojson']),
  type('xml', 'page', 'text', ['application/xml', 'text/xml'], ['xml']),
]

function type(
  name: string,
  converter: DocumentType['converter'],
  container: DocumentType['container'],
  mediaTypes: string[],
  extensions: string[] = [name],
): DocumentType {
  return { name, converter, container, mediaTypes, extensions }
}

const byExtension = new Map(
  documentTypes.flatMap((one) => one.extensions.map((extension) => [extension, one])),
)
const byMediaType = new Map(documentTypes.flatMap((one) => one.mediaTypes.map((media) => [media, one])))
const byName = new Map(documentTypes.map((one) => [one.name, one]))

export const supportedExtensions = documentTypes.flatMap((one) => one.extensions)

export function typeNamed(name: string): DocumentType {
  const found = byName.get(name)
  if (!found) throw new Error(`No such document type: ${name}`)
  return found
}

/** The type that a file's name speaks of. */
export function typeOfName(name: string): DocumentType | undefined {
  return byExtension.get(extensionOf(name))
}

export function typeOfMediaType(mediaType: string | undefined): DocumentType | undefined {
  return byMediaType.get(mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** In lower case, without the dot; empty where the name has none. */
export function extensionOf(name: string): string {
  return /\.([^./\\]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

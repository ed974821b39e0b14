import { DocumentProblem } from './document.ts'

/** Encodings in which markup consists of ASCII bytes. No check depends on other letters. */
const asciiCompatible =
  /^(?:utf-?8|us-ascii|ascii|iso-?8859-?\d+|latin-?\d|windows-\d+|cp12\d\d|koi8-[ru]|gbk|gb2312|gb18030|big5|shift[-_]jis|euc-(?:jp|kr)|macintosh)$/i

/** One character per ASCII byte. Throws for an encoding that hides markup from the checks but not from a library. */
export function decodeMarkup(part: Buffer): string {
  if (part.length >= 4 && isUtf32(part)) throw createEncodingProblem('UTF-32')
  // Without a byte order mark, readers treat a part as UTF-16 only if it begins with "<".
  const start = part.toString('latin1', 0, 2)
  if (start === '\xff\xfe' || start === '<\0')
    return assertEncoding(part.toString('utf16le'), /^utf-?16(?:le)?$/i)
  if (start === '\xfe\xff' || start === '\0<') {
    const even = part.subarray(0, part.length - (part.length % 2))
    return assertEncoding(Buffer.from(even).swap16().toString('utf16le'), /^utf-?16(?:be)?$/i)
  }
  // Bytes of "<?xm" in EBCDIC.
  if (part.subarray(0, 4).equals(Buffer.from([0x4c, 0x6f, 0xa7, 0x94]))) throw createEncodingProblem('EBCDIC')
  return assertEncoding(part.toString('latin1'), asciiCompatible)
}

function assertEncoding(text: string, allowed: RegExp): string {
  const declared = /^[^<]{0,8}<\?xml[^>]{0,500}?encoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1]
  if (declared !== undefined && !allowed.test(declared)) throw createEncodingProblem(declared.slice(0, 40))
  return text
}

function isUtf32(part: Buffer): boolean {
  const start = part.readUInt32LE(0)
  return start === 0x0000feff || start === 0xfffe0000 || start === 0x3c || start === 0x3c000000
}

function createEncodingProblem(encoding: string): DocumentProblem {
  return new DocumentProblem(
    'damaged',
    `The file has a part in the encoding ${encoding}, which office documents do not use. Save it again and send that.`,
  )
}

/** Entities can refer to local files, or to each other a billion times; office programs do not write them. */
export function checkEntities(part: Buffer): void {
  if (decodeMarkup(part).includes('<!ENTITY')) {
    throw new DocumentProblem('damaged', 'The file declares XML entities, which is not valid in a document.')
  }
}

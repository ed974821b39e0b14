import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { docxParts, xlsx } from '../documents/office.ts'
import { pdf, stream } from '../documents/pdf.ts'
import { zip } from '../documents/zip.ts'

/** Small files and bodies that become large when a program opens them. */

const megabyte = 1024 * 1024
/** Exceeds the maximum page size. */
const empty = Buffer.alloc(80 * megabyte)
/** Exceeds the maximum size of a PDF stream. */
const emptyStream = Buffer.alloc(200 * megabyte)

/** Bodies by their declared content coding. */
export const packedBodies: Record<string, () => { coding: string; bytes: Buffer }> = {
  gzip: () => ({ coding: 'gzip', bytes: gzipSync(empty) }),
  deflate: () => ({ coding: 'deflate', bytes: deflateSync(empty) }),
  'raw deflate': () => ({ coding: 'deflate', bytes: deflateRawSync(empty) }),
  brotli: () => ({ coding: 'br', bytes: brotliCompressSync(empty, { params: { 1: 1 } }) }),
  zstd: () => ({ coding: 'zstd', bytes: zstdCompressSync(empty) }),
  'gzip in gzip': () => ({ coding: 'gzip, gzip', bytes: gzipSync(gzipSync(empty)) }),
  'gzip in brotli': () => ({
    coding: 'gzip, br',
    bytes: brotliCompressSync(gzipSync(empty), { params: { 1: 1 } }),
  }),
  'five codings': () => ({
    coding: 'gzip, gzip, gzip, gzip, gzip',
    bytes: gzipSync(gzipSync(gzipSync(gzipSync(gzipSync(empty))))),
  }),
  'a hundred codings': () => ({ coding: Array(100).fill('gzip').join(', '), bytes: gzipSync('x') }),
}

const parts = docxParts('<w:p/>')
const deepXml = (depth: number) => `${'<w:p>'.repeat(depth)}${'</w:p>'.repeat(depth)}`
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'bcdefghij'[index]} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]><x>&j;</x>`

export interface BombFile {
  name: string
  bytes: () => Buffer
}

export const bombFiles: Record<string, BombFile> = {
  'docx: one part of 24 MB': file('a.docx', () =>
    zip({ ...parts, 'word/b.xml': Buffer.alloc(24 * megabyte, 32) }),
  ),
  'xlsx: one part of 24 MB': file('a.xlsx', () =>
    zip({ 'xl/worksheets/sheet1.xml': Buffer.alloc(24 * megabyte, 32) }),
  ),
  'pptx: one part of 24 MB': file('a.pptx', () =>
    zip({ 'ppt/slides/slide1.xml': Buffer.alloc(24 * megabyte, 32) }),
  ),
  'epub: one part of 24 MB': file('a.epub', () =>
    zip({ mimetype: 'application/epub+zip', 'a.xhtml': Buffer.alloc(24 * megabyte, 32) }),
  ),
  'odt: one part of 24 MB': file('a.odt', () =>
    zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': Buffer.alloc(24 * megabyte, 32),
    }),
  ),
  'docx: 30,000 parts': file('a.docx', () =>
    zip({
      ...parts,
      ...Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`word/${index}.xml`, 'x'])),
    }),
  ),
  'docx: parts that share their bytes': file('a.docx', () => overlapping(5000)),
  'docx: a package in a package': file('a.docx', () =>
    zip({ ...parts, 'word/embeddings/a.zip': zip({ 'b.zip': zip({ c: Buffer.alloc(20 * megabyte) }) }) }),
  ),
  'docx: more than it declares': file('a.docx', () =>
    declaredSmall(zip({ ...parts, 'word/b.xml': Buffer.alloc(10 * megabyte, 32) })),
  ),
  'docx: a billion laughs': file('a.docx', () => zip({ ...parts, 'word/document.xml': laughs })),
  'docx: elements in elements': file('a.docx', () => zip({ ...docxParts(deepXml(200_000)) })),
  'xlsx: a billion laughs': file('a.xlsx', () => zip({ 'xl/worksheets/sheet1.xml': laughs })),
  'xlsx: two cells far apart': file('a.xlsx', () =>
    xlsx('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
  ),
  'svg: a billion laughs': file('a.svg', () =>
    Buffer.from(laughs.replace('<x>', '<svg xmlns="http://www.w3.org/2000/svg">').replace('</x>', '</svg>')),
  ),
  'xml: a billion laughs': file('a.xml', () => Buffer.from(laughs)),
  'pdf: a stream of 200 MB': file('a.pdf', () => pdfWith(deflateSync(emptyStream), '/Filter /FlateDecode')),
  'pdf: a stream packed twice': file('a.pdf', () =>
    pdfWith(deflateSync(deflateSync(emptyStream)), '/Filter [/FlateDecode /FlateDecode]'),
  ),
  'pdf: a tree of pages that is its own child': file('a.pdf', () =>
    Buffer.from(
      pdf([{}])
        .toString('latin1')
        .replace(/\/Kids \[[^\]]*\]/, '/Kids [2 0 R 2 0 R 2 0 R]'),
      'latin1',
    ),
  ),
  'pdf: a million pages by its count': file('a.pdf', () =>
    Buffer.from(
      pdf([{}])
        .toString('latin1')
        .replace(/\/Count \d+/, '/Count 9999999'),
      'latin1',
    ),
  ),
  'png: 50,000 by 50,000': file('a.png', () => png(50_000, 50_000)),
  'png: two billion wide': file('a.png', () => png(2_000_000_000, 1)),
  'csv: a million columns': file('a.csv', () =>
    Buffer.from(`${'a,'.repeat(1_000_000)}\n${'1,'.repeat(1_000_000)}\n`),
  ),
  'csv: a million rows': file('a.csv', () => Buffer.from('a,b\n'.repeat(1_000_000))),
  'json: lists in lists': file('a.json', () => Buffer.from('['.repeat(2_000_000))),
  'html: elements in elements': file('a.html', () => Buffer.from('<div>'.repeat(500_000))),
  'html: a million attributes': file('a.html', () => Buffer.from(`<p ${'a="b" '.repeat(500_000)}>x`)),
  'html: nothing but brackets': file('a.html', () => Buffer.alloc(5 * megabyte, '<')),
  'rtf: groups in groups': file('a.rtf', () => Buffer.from(`{\\rtf1 ${'{'.repeat(500_000)}`)),
}

function file(name: string, bytes: () => Buffer): BombFile {
  return { name, bytes }
}

function pdfWith(packed: Buffer, filter: string): Buffer {
  return Buffer.concat([
    pdf([{ lines: [{ text: 'x', y: 50 }] }]),
    Buffer.from('\n9 0 obj\n'),
    stream(packed, filter),
  ])
}

/** Returns a zip file whose directory entries all point to the same compressed part. */
function overlapping(count: number): Buffer {
  const bytes = zip({ ...parts, 'word/b.xml': Buffer.alloc(200_000, 32) })
  const end = bytes.length - 22
  const entryOffset = bytes.lastIndexOf('PK\x01\x02', end, 'latin1')
  const entry = bytes.subarray(entryOffset, end)
  const start = bytes.readUInt32LE(end + 16)
  const directory = Buffer.concat([bytes.subarray(start, entryOffset), ...Array<Buffer>(count).fill(entry)])
  const tail = Buffer.from(bytes.subarray(end))
  const entries = tail.readUInt16LE(8) - 1 + count
  tail.writeUInt16LE(entries, 8)
  tail.writeUInt16LE(entries, 10)
  tail.writeUInt32LE(directory.length, 12)
  return Buffer.concat([bytes.subarray(0, start), directory, tail])
}

function declaredSmall(bytes: Buffer): Buffer {
  const entryOffset = bytes.lastIndexOf('PK\x01\x02', 'latin1')
  bytes.writeUInt32LE(100, entryOffset + 24)
  return bytes
}

/** Returns a PNG with few pixels whose header declares a large image. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const chunk = (name: string, data: Buffer) => {
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), data])))
    return Buffer.concat([length, Buffer.from(name), data, check])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.alloc(2 * megabyte))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

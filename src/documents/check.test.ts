import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { doc, docxParts, farCells, sheetCells, xls, xlsx } from '../../test/documents/office.ts'
import { pdf, stream } from '../../test/documents/pdf.ts'
import { zip } from '../../test/documents/zip.ts'
import { checkDocument } from './check.ts'
import { typeNamed } from './index.ts'

const check = (bytes: Buffer, type: string) => () => checkDocument(bytes, typeNamed(type))

describe('before a library sees a file', () => {
  it('ordinary ones pass', () => {
    expect(check(xlsx(sheetCells), 'xlsx')).not.toThrow()
    expect(check(pdf([{ lines: [{ text: 'x', y: 50 }] }]), 'pdf')).not.toThrow()
    expect(check(doc('x'), 'doc')).not.toThrow()
  })

  it('what expands too much is refused', () => {
    expect(check(zip({ 'word/document.xml': Buffer.alloc(60_000_000, 32) }), 'docx')).toThrow(
      /expands to 57 MB/,
    )
  })

  it('what holds more than it declares is refused', () => {
    const bytes = zip(docxParts('<w:p/>'))
    const entry = bytes.indexOf('PK\x01\x02', 'latin1')
    bytes.writeUInt32LE(3, entry + 24)
    expect(check(bytes, 'docx')).toThrow(/cannot be decompressed/)
  })

  it('two cells far apart are refused', () => {
    expect(check(xlsx(farCells), 'xlsx')).toThrow(/spans 17179869184 cells/)
  })

  it('entities are refused', () => {
    expect(
      check(zip({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///c">]>' }), 'docx'),
    ).toThrow(/entities/)
    expect(check(Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a/>'), 'xml')).toThrow(/entities/)
  })

  it('marks of a password are found', () => {
    expect(check(zip({ 'word/document.xml': 'x' }, { encrypted: true }), 'docx')).toThrow(/encrypted/)
    expect(check(doc('x', { encrypted: true }), 'doc')).toThrow(/encrypted/)
    expect(check(xls({ encrypted: true }), 'xls')).toThrow(/encrypted/)
    const manifest = '<manifest:encryption-data/>'
    expect(check(zip({ 'META-INF/manifest.xml': manifest }), 'odt')).toThrow(/encrypted/)
  })

  it('a stream that unpacks to hundreds of megabytes is refused', () => {
    const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024))
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), stream(bomb, '/Filter /FlateDecode')])
    expect(check(bytes, 'pdf')).toThrow(/size limit/)
  })

  it('a small stream that is packed twice is unpacked twice', () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(200 * 1024 * 1024)))
    expect(bomb.length).toBeLessThan(10_000)
    const filters = '/Filter [/FlateDecode /FlateDecode]'
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), stream(bomb, filters)])
    expect(check(bytes, 'pdf')).toThrow(/size limit/)
  })
})

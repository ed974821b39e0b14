import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { doc, docxParts, farCells, sheetCells, xls, xlsx } from '../../test/documents/office.ts'
import { pdf, stream } from '../../test/documents/pdf.ts'
import { typeNamed } from '../../test/documents/type-named.ts'
import { zip } from '../../test/documents/zip.ts'
import { checkDocument } from './check.ts'

const check = (bytes: Buffer, type: string) => () => checkDocument(bytes, typeNamed(type))

describe('checkDocument', () => {
  it('accepts ordinary files', () => {
    expect(check(xlsx(sheetCells), 'xlsx')).not.toThrow()
    expect(check(pdf([{ lines: [{ text: 'x', y: 50 }] }]), 'pdf')).not.toThrow()
    expect(check(doc('x'), 'doc')).not.toThrow()
  })

  it('rejects a package that expands to 57 MB', () => {
    expect(check(zip({ 'word/document.xml': Buffer.alloc(60_000_000, 32) }), 'docx')).toThrow(
      /expands to 57 MB/,
    )
  })

  it('rejects an entry that is larger than its declared size', () => {
    const bytes = zip(docxParts('<w:p/>'))
    const entry = bytes.indexOf('PK\x01\x02', 'latin1')
    bytes.writeUInt32LE(3, entry + 24)
    expect(check(bytes, 'docx')).toThrow(/cannot be decompressed/)
  })

  it('rejects a sheet with two cells far apart', () => {
    expect(check(xlsx(farCells), 'xlsx')).toThrow(/spans 17179869184 cells/)
  })

  const sheet = (cells: string) =>
    `<worksheet><sheetData><row r="1"><c r="A1"/></row>${cells}</sheetData></worksheet>`

  it.each([
    ['single quotes', "<row><c r='XFD1048576'/></row>"],
    ['spaces', '<row><c r = "XFD1048576"/></row>'],
    ['a prefix', '<x:row><x:c r="XFD1048576"/></x:row>'],
    ['many attributes before', `<row><c ${'a="b" '.repeat(100)} r="XFD1048576"/></row>`],
    ['a quoted angle bracket before', '<row><c a=">" r="XFD1048576"/></row>'],
    ['character references', '<row><c r="&#88;FD1048576"/></row>'],
    ['lower case', '<row><c r="xfd1048576"/></row>'],
    ['the row alone', `<row r="1048576"><c/><c/><c/><c/><c/></row>`],
  ])('rejects two cells far apart, written with %s', (_, cells) => {
    const bytes = zip({ 'xl/worksheets/sheet1.xml': sheet(cells) })
    expect(check(bytes, 'xlsx')).toThrow(/exceeds the limit of 4000000/)
  })

  it('rejects two cells far apart in a sheet of another name or encoding', () => {
    const far = sheet('<row><c r="XFD1048576"/></row>')
    expect(check(zip({ 'xl/data.bin': far }), 'xlsx')).toThrow(/exceeds the limit/)
    const wide = Buffer.from(`\ufeff${far}`, 'utf16le')
    expect(check(zip({ 'XL/worksheets/SHEET1.XML': wide }), 'xlsx')).toThrow(/exceeds the limit/)
    expect(check(zip({ 'xl/a.xml': Buffer.from(wide).swap16() }), 'xlsx')).toThrow(/exceeds the limit/)
  })

  it.each([
    ['a thousand spaces', ' '.repeat(1000)],
    ['text', 'x'],
    ['the beginning of a picture', '\x89PNG\r\n\x1a\n\0\0'],
    ['what looks like UTF-16', 'x\0'],
  ])('rejects two cells far apart and entities after %s', (_, before) => {
    const far = Buffer.from(before + sheet('<row><c r="XFD1048576"/></row>'), 'latin1')
    const declared = Buffer.from(`${before}<!DOCTYPE a [<!ENTITY b SYSTEM "file:///c">]><a>&b;</a>`, 'latin1')
    for (const name of ['xl/worksheets/sheet1.xml', 'xl/data.bin']) {
      expect(check(zip({ [name]: far }), 'xlsx')).toThrow(/exceeds the limit/)
      expect(check(zip({ [name]: declared }), 'xlsx')).toThrow(/entities/)
    }
  })

  const entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///c">]><a>&b;</a>'
  it.each([
    ['UTF-16 with a mark', Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${entity}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(entity, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${entity}`, 'utf16le').swap16()],
    ['single quotes', Buffer.from(entity.replaceAll('"', "'"))],
    ['a parameter entity', Buffer.from('<!DOCTYPE a [<!ENTITY % b "c">%b;]><a/>')],
    ['standalone', Buffer.from(`<?xml version='1.0' standalone='yes'?>${entity}`)],
    ['a byte order mark', Buffer.from(`\ufeff${entity}`)],
    ['white space before', Buffer.from(`\n\t ${entity}`)],
  ])('rejects entities in %s', (_, part) => {
    expect(check(zip({ 'word/document.xml': part }), 'docx')).toThrow(/entities/)
    expect(check(zip({ 'word/main.bin': part }), 'docx')).toThrow(/entities/)
  })

  it.each([
    ['UTF-7', Buffer.from('<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-ENTITY')],
    ['UTF-32', Buffer.from('<\0\0\0!\0\0\0', 'latin1')],
    ['EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x40])],
    ['an unknown encoding', Buffer.from("<?xml version='1.0' encoding='x-user'?><a/>")],
  ])('rejects a part in %s', (_, part) => {
    expect(check(zip({ 'word/document.xml': part }), 'docx')).toThrow(/encoding/)
  })

  it('rejects entities in a docx and in an XML file', () => {
    expect(
      check(zip({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///c">]>' }), 'docx'),
    ).toThrow(/entities/)
    expect(check(Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a/>'), 'xml')).toThrow(/entities/)
  })

  it('rejects files with a password', () => {
    expect(check(zip({ 'word/document.xml': 'x' }, { encrypted: true }), 'docx')).toThrow(/encrypted/)
    expect(check(doc('x', { encrypted: true }), 'doc')).toThrow(/encrypted/)
    expect(check(xls({ encrypted: true }), 'xls')).toThrow(/encrypted/)
    const manifest = '<manifest:encryption-data/>'
    expect(check(zip({ 'META-INF/manifest.xml': manifest }), 'odt')).toThrow(/encrypted/)
  })

  it('rejects a stream that decompresses to 200 MB', () => {
    const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024))
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), stream(bomb, '/Filter /FlateDecode')])
    expect(check(bytes, 'pdf')).toThrow(/size limit/)
  })

  it('decompresses a small stream twice if it is compressed twice', () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(200 * 1024 * 1024)))
    expect(bomb.length).toBeLessThan(10_000)
    const filters = '/Filter [/FlateDecode /FlateDecode]'
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), stream(bomb, filters)])
    expect(check(bytes, 'pdf')).toThrow(/size limit/)
  })
})

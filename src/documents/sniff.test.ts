import { describe, expect, it } from 'vitest'
import { doc, docx, epub, openDocument, pptx, sheetCells, xls, xlsx } from '../../test/documents/office.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { zip } from '../../test/documents/zip.ts'
import { documentTypes } from './index.ts'
import { sniff } from './sniff.ts'

const typeOf = (bytes: Buffer | string, name = '', mediaType?: string) =>
  sniff({ bytes: Buffer.from(bytes), name, mediaType }).name

describe('the type of a file', () => {
  it.each([
    ['pdf', pdf([{}])],
    ['docx', docx()],
    ['doc', doc('x')],
    ['odt', openDocument('text', '')],
    ['ods', openDocument('spreadsheet', '')],
    ['odp', openDocument('presentation', '')],
    ['xlsx', xlsx(sheetCells)],
    ['xlsb', zip({ 'xl/workbook.bin': 'x' })],
    ['xls', xls()],
    ['pptx', pptx()],
    ['epub', epub()],
    ['rtf', '{\\rtf1 x}'],
    ['image', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['image', Buffer.from('RIFF\x04\x00\x00\x00WEBP')],
  ])('is detected by its bytes, without a name: %s', (type, bytes) => {
    expect(typeOf(bytes)).toBe(type)
  })

  it('is detected by the name or media type if the bytes have no signature', () => {
    expect(typeOf('a,b', 'table.csv')).toBe('csv')
    expect(typeOf('a,b', 'notes.TXT')).toBe('txt')
    expect(typeOf('a,b', 'table', 'text/csv; charset=utf-8')).toBe('csv')
  })

  it('is html for an HTML file with the extension of a word processor', () => {
    expect(typeOf('<!DOCTYPE html><p>x', 'letter.doc')).toBe('html')
  })

  it('is pdf if junk precedes the signature', () => {
    expect(typeOf(Buffer.concat([Buffer.from('junk\n'), pdf([{}])]), 'a.pdf')).toBe('pdf')
  })

  it('is html for a page that mentions the signature of PDF', () => {
    expect(typeOf('<html><p>Files begin with %PDF-1.7', 'a.html')).toBe('html')
  })

  it('is txt for a text that begins with BM', () => {
    expect(typeOf('BMW builds cars, and has done so for a long time.', 'a.txt')).toBe('txt')
  })

  it('is rejected as damaged if the content does not match the name', () => {
    expect(() => typeOf(zip({ 'readme.txt': 'x' }), 'a.docx')).toThrow(/not a valid docx/)
    expect(() => typeOf('just text', 'a.xlsx')).toThrow(/not a valid xlsx/)
  })

  it('is rejected as unsupported for an unknown binary file', () => {
    expect(() => typeOf(Buffer.from([0, 1, 2, 3]), 'a.bin')).toThrow(/\.bin is not supported/)
  })
})

describe('the list of types', () => {
  it('contains each extension and media type only once', () => {
    for (const names of [
      documentTypes.flatMap((type) => type.extensions),
      documentTypes.flatMap((type) => type.mediaTypes),
    ]) {
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

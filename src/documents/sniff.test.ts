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
  ])('%s is known by its bytes, without a name', (type, bytes) => {
    expect(typeOf(bytes)).toBe(type)
  })

  it('is taken from the name where bytes say nothing', () => {
    expect(typeOf('a,b', 'table.csv')).toBe('csv')
    expect(typeOf('a,b', 'notes.TXT')).toBe('txt')
    expect(typeOf('a,b', 'table', 'text/csv; charset=utf-8')).toBe('csv')
  })

  it('is HTML when a word processor was promised and HTML came', () => {
    expect(typeOf('<!DOCTYPE html><p>x', 'letter.doc')).toBe('html')
  })

  it('is PDF although something stands before its mark', () => {
    expect(typeOf(Buffer.concat([Buffer.from('junk\n'), pdf([{}])]), 'a.pdf')).toBe('pdf')
  })

  it('is not PDF because a page mentions the mark', () => {
    expect(typeOf('<html><p>Files begin with %PDF-1.7', 'a.html')).toBe('html')
  })

  it('is a word and not a picture where a text begins with BM', () => {
    expect(typeOf('BMW builds cars, and has done so for a long time.', 'a.txt')).toBe('txt')
  })

  it('is refused as damaged when it is not what its name says', () => {
    expect(() => typeOf(zip({ 'readme.txt': 'x' }), 'a.docx')).toThrow(/not a valid docx/)
    expect(() => typeOf('just text', 'a.xlsx')).toThrow(/not a valid xlsx/)
  })

  it('is refused as unsupported when nobody knows it', () => {
    expect(() => typeOf(Buffer.from([0, 1, 2, 3]), 'a.bin')).toThrow(/\.bin is not supported/)
  })
})

describe('the list of types', () => {
  it('gives no extension and no media type to two of them', () => {
    for (const names of [
      documentTypes.flatMap((type) => type.extensions),
      documentTypes.flatMap((type) => type.mediaTypes),
    ]) {
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { encode } from '../../test/documents/encode.ts'
import { openDocument, sheetCells, xls, xlsx } from '../../test/documents/office.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { typeNamed } from '../../test/documents/type-named.ts'
import { convertBytes } from './convert-bytes.ts'

const options = {
  pdf: { mode: 'auto' as const, maxPages: 10, pageMarkers: false },
  parses: true,
  tesseract: undefined,
  timeoutMs: 60_000,
}

const tides =
  '<table:table table:name="Tides"><table:table-row><table:table-cell><text:p>6</text:p></table:table-cell></table:table-row></table:table>'

describe('a workbook', () => {
  it.each([
    ['xls', xls(), '## Harbour'],
    ['xlsx', xlsx(sheetCells), '## Ships'],
    ['ods', openDocument('spreadsheet', tides), '## Tides'],
  ])(
    'of type %s is converted, and a damaged one is reported with that type',
    async (name, bytes, heading) => {
      expect(await convertBytes(bytes, typeNamed(name), options)).toMatchObject({
        document: { markdown: expect.stringContaining(heading) },
      })
      await expect(convertBytes(Buffer.from('x'), typeNamed(name), options)).rejects.toThrow(
        `The ${name} is damaged`,
      )
    },
  )
})

describe('convertBytes without parsing', () => {
  const convertUnparsed = (name: string, content: Buffer | string) =>
    convertBytes(Buffer.from(content), typeNamed(name), { ...options, parses: false })

  it('returns a PDF unchanged, rejects an image and converts a CSV file', async () => {
    expect(await convertUnparsed('pdf', pdf([{}]))).toEqual({ kind: 'raw', mediaType: 'application/pdf' })
    await expect(convertUnparsed('image', Buffer.from('89504e470d0a1a0a', 'hex'))).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'Images are not supported with an empty list of parsers.',
    })
    expect(await convertUnparsed('csv', 'name;tons\n')).toMatchObject({
      kind: 'converted',
      mediaType: 'text/csv',
    })
  })

  it('returns text as a page, with the detected charset unless its format declares one', async () => {
    const page = (mediaType: string) => ({ kind: 'page', mediaType })
    const cyrillic = encode('имя;город\nИван Петров;Москва\n', 'windows-1251')
    expect(await convertUnparsed('txt', cyrillic)).toEqual(page('text/plain; charset=windows-1251'))
    expect(await convertUnparsed('md', '# Fog')).toEqual(page('text/markdown; charset=utf-8'))
    expect(await convertUnparsed('html', cyrillic)).toEqual(page('text/html'))
    expect(await convertUnparsed('json', '{}')).toEqual(page('application/json'))
  })
})

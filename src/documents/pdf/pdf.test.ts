import { describe, expect, it } from 'vitest'
import { type PdfLine, pdf } from '../../../test/documents/pdf.ts'
import { typeNamed } from '../../../test/documents/type-named.ts'
import { convert, formatRanges } from './pdf.ts'

const options = {
  pdf: { mode: 'auto' as const, maxPages: 10_000, pageMarkers: false },
  parses: true,
  tesseract: undefined,
  timeoutMs: 60_000,
}

async function markdownOf(...pages: PdfLine[][]): Promise<string> {
  const bytes = pdf(pages.map((lines) => ({ lines })))
  return (await convert(bytes, typeNamed('pdf'), options)).markdown
}

const prose = (words: string, x: number, from: number, count: number): PdfLine[] =>
  Array.from({ length: count }, (_, at) => ({
    text: `${words} line ${at + 1} of the column goes on`,
    x,
    y: from + at * 14,
  }))

describe('the layout of a PDF', () => {
  it('reads columns one after the other, and a heading that spans both before them', async () => {
    const markdown = await markdownOf([
      { text: 'A heading that stands over both of the columns', y: 70, size: 18 },
      ...prose('left', 60, 120, 12),
      ...prose('right', 320, 120, 12),
    ])
    expect(markdown.indexOf('A heading')).toBeLessThan(markdown.indexOf('left line 1 '))
    expect(markdown.indexOf('left line 12')).toBeLessThan(markdown.indexOf('right line 1 '))
  })

  it('joins lines to a paragraph, and a hyphenated word', async () => {
    const markdown = await markdownOf([
      { text: 'The keeper climbed the stairs of the light-', y: 100 },
      { text: 'house and lit the lamp before the night came.', y: 114 },
      { text: 'Then he slept.', y: 150 },
    ])
    expect(markdown).toBe(
      'The keeper climbed the stairs of the lighthouse and lit the lamp before the night came.\n\nThen he slept.\n',
    )
  })

  it('detects headings by size and weight, over the whole document', async () => {
    const markdown = await markdownOf(
      [
        { text: 'Lamps', y: 80, size: 22 },
        { text: 'Oil', y: 120, bold: true },
        ...prose('first', 60, 150, 4),
      ],
      [{ text: 'Gas', y: 120, size: 16 }, ...prose('second', 60, 150, 4)],
    )
    expect(markdown).toMatch(/^# Lamps$/m)
    expect(markdown).toMatch(/^## Gas$/m)
    expect(markdown).toMatch(/^### Oil$/m)
  })

  it('separates a heading from the heading directly below it', async () => {
    const markdown = await markdownOf([
      { text: '2 Lamps', y: 100, bold: true },
      { text: '2.1 Lamps that burn oil', y: 114, bold: true },
      ...prose('first', 60, 140, 4),
      { text: 'Gas', y: 240, bold: true },
      { text: 'Pipes and valves', y: 254, bold: true },
      ...prose('second', 60, 280, 4),
    ])
    expect(markdown).toMatch(/^#+ 2 Lamps$/m)
    expect(markdown).toMatch(/^#+ 2.1 Lamps that burn oil$/m)
    expect(markdown).toMatch(/^#+ Gas$/m)
    expect(markdown).toMatch(/^#+ Pipes and valves$/m)
  })

  it('joins a heading of two lines', async () => {
    const markdown = await markdownOf([
      { text: 'On lamps that burn in the nights', y: 100, bold: true },
      { text: 'of winter', y: 114, bold: true },
      ...prose('first', 60, 140, 4),
    ])
    expect(markdown).toMatch(/^#+ On lamps that burn in the nights of winter$/m)
  })

  it('removes running headers, footers and page numbers', async () => {
    const page = (number: number): PdfLine[] => [
      { text: 'The Journal of Lamps', y: 30, size: 9 },
      ...prose(`page ${number}`, 60, 120, 6),
      { text: String(number), x: 300, y: 815, size: 9 },
    ]
    const markdown = await markdownOf(page(1), page(2), page(3))
    expect(markdown).not.toContain('Journal')
    expect(markdown).not.toMatch(/^\d$/m)
    expect(markdown).toContain('page 3 line 6')
  })

  it('keeps a line that is repeated on every page and continues differently', async () => {
    const page = (end: string): PdfLine[] => [
      { text: 'All lamps burn at night, and none of them', y: 60 },
      { text: end, y: 73 },
      { text: 'Far below', y: 400 },
    ]
    const markdown = await markdownOf(
      page('burns by day, for oil is dear.'),
      page('is lit before the sun is down.'),
    )
    expect(markdown.match(/All lamps burn/g)).toHaveLength(2)
  })

  it('renders aligned lines as a table', async () => {
    const rows = [
      ['Light', 'Height', 'Range'],
      ['Nes', '59', '21'],
      ['Vlieland', '54', '20'],
      ['Texel', '53', '29'],
    ]
    const lines = rows.flatMap((row, at) =>
      row.map((text, column) => ({ text, x: 60 + column * 120, y: 100 + at * 16 })),
    )
    const markdown = await markdownOf(lines)
    expect(markdown).toContain('| Light | Height | Range |')
    expect(markdown).toContain('| Texel | 53 | 29 |')
  })

  it('renders bullet lines as a list', async () => {
    const markdown = await markdownOf([
      { text: '- oil', y: 100 },
      { text: '- gas', y: 114 },
      { text: '- current', y: 128 },
    ])
    expect(markdown).toBe('- oil\n- gas\n- current\n')
  })

  it('reads all 230 pages of a long file', async () => {
    const pages = Array.from({ length: 230 }, (_, at) => [
      { text: `The text of sheet ${at + 1} is short`, y: 300 },
    ])
    const markdown = await markdownOf(...pages)
    expect(markdown.match(/The text of sheet/g)).toHaveLength(230)
    expect(markdown).toContain('sheet 230 is')
  })

  it('formats page numbers as ranges', () => {
    expect(formatRanges([3, 1, 2, 7, 9, 8])).toBe('1-3, 7-9')
  })
})

describe('a PDF without text', () => {
  it('returns a warning if it is blank', async () => {
    const blank = await convert(pdf([{}]), typeNamed('pdf'), options)
    expect(blank).toMatchObject({ markdown: '', warnings: ['The PDF has no text.'] })
  })

  it('throws ocr-missing if it has drawings and no OCR program is installed', async () => {
    const drawn = pdf([{ draw: '0 0 1 rg 100 100 300 300 re f' }])
    await expect(convert(drawn, typeNamed('pdf'), options)).rejects.toMatchObject({ kind: 'ocr-missing' })
  })

  it('returns the pages that have text', async () => {
    const mixed = pdf([
      { lines: [{ text: 'Words of its own', y: 100 }] },
      { draw: '0 0 1 rg 100 100 300 300 re f' },
    ])
    const { markdown, warnings } = await convert(mixed, typeNamed('pdf'), options)
    expect(markdown).toContain('Words of its own')
    expect(warnings.join()).toMatch(/Pages 2 are images of text/)
  })
})

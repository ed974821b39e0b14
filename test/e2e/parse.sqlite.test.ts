import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encode } from '../documents/encode.ts'
import {
  doc,
  docx,
  docxOfFormulas,
  epub,
  openDocument,
  ppt,
  pptx,
  sheetCells,
  xls,
  xlsx,
  xlsxWithChart,
} from '../documents/office.ts'
import { lamps, picture, post, postForm } from '../documents/post.ts'

const tides =
  '<table:table table:name="Tides"><table:table-row><table:table-cell><text:p>Hour</text:p></table:table-cell>' +
  '<table:table-cell><text:p>Depth</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell>' +
  '<text:p>6</text:p></table:table-cell><table:table-cell><text:p>3.1</text:p></table:table-cell></table:table-row></table:table>'
const fog =
  '<draw:page draw:name="p1"><draw:frame presentation:class="title"><draw:text-box><text:p>Fog</text:p></draw:text-box></draw:frame></draw:page>'

const files: [string, Buffer | string, string[]][] = [
  ['report.pdf', lamps, ['# Report on lamps', 'It burned until dawn and nobody came.']],
  ['a.docx', docx(), ['# The lighthouse', '| 1901 | 42 |']],
  ['a.docm', docx(), ['# The lighthouse']],
  [
    'formulas.docx',
    docxOfFormulas(),
    [
      String.raw`Here $\frac{a_1}{\sqrt{b}}$ is small.`,
      String.raw`$$\sum_{i=1}^{n}{\alpha^{i}}$$`,
      '[Tides](https://tides.example/may#spring)',
    ],
  ],
  [
    'a.doc',
    doc('First line\rA\x07B\x07\x07C\x07D\x07\x07\rLast line\r'),
    ['First line', '| C | D |', 'Last line'],
  ],
  ['a.odt', openDocument('text', '<text:h text:outline-level="1">Tide</text:h>'), ['# Tide']],
  ['a.rtf', String.raw`{\rtf1\ansi The {\b bell} rings.\par}`, ['The **bell** rings.']],
  ['a.xlsx', xlsx(sheetCells), ['## Ships', '| Aurora | 310 |']],
  ['a.xlsm', xlsx(sheetCells), ['## Ships']],
  ['chart.xlsx', xlsxWithChart(), ['| Aurora | 310 |', '## Drawn\n\nShips by year', '| 1902 | 57 |']],
  ['a.xls', xls(), ['## Harbour', '| Borealis | 17 |']],
  ['loud.xls', xls({ stream: 'WORKBOOK' }), ['## Harbour', '| Borealis | 17 |']],
  ['a.ods', openDocument('spreadsheet', tides), ['## Tides', '| 6 | 3.1 |']],
  ['a.pptx', pptx(), ['## Lamps', 'Oil, gas, current']],
  ['a.ppt', ppt('Lamps of the coast'), ['Lamps of the coast']],
  [
    'table.ppt',
    ppt('Lamps', [
      ['Light', 'Range'],
      ['Texel', '29'],
    ]),
    ['## Lamps', '| Light | Range |\n| --- | --- |\n| Texel | 29 |'],
  ],
  ['a.odp', openDocument('presentation', fog), ['## Fog']],
  ['a.epub', epub(), ['# First light', '# Second light']],
  ['a.csv', 'name;tons\nAurora;310\n', ['| name | tons |', '| Aurora | 310 |']],
  ['a.tsv', 'name\ttons\nAurora\t310\n', ['| Aurora | 310 |']],
  ['a.html', '<main><h1>Fog</h1><p>Nothing is seen.</p></main>', ['# Fog', 'Nothing is seen.']],
  ['a.htm', '<main><h1>Fog</h1></main>', ['# Fog']],
  ['a.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Fog</h1></body></html>', ['# Fog']],
  ['a.md', '# Fog\n\nNothing is *seen*.\n', ['# Fog', '*seen*']],
  ['a.txt', 'Nothing is seen.\n', ['Nothing is seen.']],
  ['a.json', '{"fog": true}', ['```json', '{"fog": true}']],
  ['a.xml', '<fog>thick</fog>', ['```xml', '<fog>thick</fog>']],
]

describe('parses', () => {
  it.each(files)('%s', async (name, content, expected) => {
    const { status, body } = await post(content, { name })
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
    for (const text of expected) expect(body.data.markdown).toContain(text)
    expect(body.data.metadata).toMatchObject({ sourceFile: name, statusCode: 200 })
  })

  it('an image, with OCR', async () => {
    const { body } = await post(await picture(), { name: 'scan.png' })
    expect(body.data.markdown).toMatch(/burned until dawn and nobody came/)
  })

  it('a book with a first footnote in each chapter', async () => {
    const { body } = await post(epub(), { name: 'a.epub' })
    expect(body.data.markdown.match(/\[\^.+?\](?:: .*)?/g)).toEqual([
      '[^1]',
      '[^1]: Of oak.',
      '[^1-2]',
      '[^1-2]: Of stone.',
    ])
  })

  it.each([
    ['shift_jis', '名前,住所\n佐藤太郎,東京\n三木英子,大阪\n', '| 佐藤太郎 | 東京 |'],
    ['gbk', '姓名,城市\n张伟,北京\n王秀英,上海\n', '| 王秀英 | 上海 |'],
    ['euc-kr', '이름,도시\n김민수,서울\n이영희,부산\n', '| 이영희 | 부산 |'],
    ['windows-1250', 'imię;miasto\nŁukasz Wójcik;Gdańsk\n', '| Łukasz Wójcik | Gdańsk |'],
    ['windows-1251', 'имя;город\nИван Петров;Москва\n', '| Иван Петров | Москва |'],
    ['windows-1252', 'prénom;ville\nÉloïse Lefèvre;Besançon\n', '| Éloïse Lefèvre | Besançon |'],
  ])('text in %s without a declared encoding', async (encoding, text, expected) => {
    const { body } = await post(encode(text, encoding), { name: 'table.csv' })
    expect(body.data.markdown).toContain(expected)
  })

  it('UTF-16 text with and without a byte order mark, and with a separator line', async () => {
    for (const start of ['', '\ufeff', '\ufeffsep=;\n']) {
      const bytes = Buffer.from(`${start}имя;город\nИван;Москва, центр\n`, 'utf16le')
      const { body } = await post(bytes, { name: 'table.csv' })
      expect(body.data.markdown).toBe('| имя | город |\n| --- | --- |\n| Иван | Москва, центр |\n')
    }
  })

  it.each([90, 180, 270])('an image that is rotated by %i degrees', async (angle) => {
    const rotated = await sharp(await picture())
      .rotate(angle)
      .png()
      .toBuffer()
    const { body } = await post(rotated, { name: 'scan.png' })
    expect(body.data.markdown).toMatch(/burned until dawn and nobody came/)
  })

  it('HTML with relative links, and with headings in table cells', async () => {
    const row = (left: string, right: string) => `<tr><td>${left}</td><td>${right}</td></tr>`
    const table = `<table>${row('<h3>Light</h3>', '<h3>Range</h3>')}${row('Nes', '21')}${row('Texel', '29')}</table>`
    const html = `<p><a href="tides/may.html#spring">Tides</a> <a href="#top">Top</a> <img src="a.png" alt="Lamp"></p>${table}`
    const { body } = await post(html, { name: 'a.html', options: { formats: ['markdown', 'html'] } })
    expect(body.data.markdown).toContain('[Tides](tides/may.html#spring)')
    expect(body.data.markdown).toContain('[Top](#top) ![Lamp](a.png)')
    expect(body.data.markdown).toContain('| Texel | 29 |')
    expect(body.data.html).toContain('href="tides/may.html#spring"')
  })
})

describe('the type that the bytes of a file indicate', () => {
  it('takes precedence over the file name', async () => {
    const { body } = await post(lamps, { name: 'report.docx' })
    expect(body.data.markdown).toContain('# Report on lamps')
    expect(body.data.metadata.contentType).toBe('application/pdf')
  })

  it('takes precedence over the content type, which clients guess', async () => {
    const { body } = await post('<h1>Fog</h1>', { name: 'a.html', type: 'text/plain' })
    expect(body.data.markdown).toContain('# Fog')
  })
})

describe('formats of a file', () => {
  it('are the same as for a page', async () => {
    const formats = ['markdown', 'html', 'rawHtml', 'links', 'images']
    const options = {
      formats: [...formats, { type: 'attributes', selectors: [{ selector: 'td', attribute: 'class' }] }],
    }
    const { body } = await post(docx(), { name: 'a.docx', options })
    expect(body.data.html).toContain('<h1>The lighthouse</h1>')
    expect(body.data.rawHtml).toContain('<td>1901</td>')
    for (const format of ['links', 'images', 'attributes']) expect(body.data).toHaveProperty(format)
    expect(body.data.metadata).toMatchObject({ title: 'Keepers', author: 'A. Keeper' })
  })

  it('contain the parts that includeTags selects', async () => {
    const { body } = await post(docx(), { name: 'a.docx', options: { includeTags: ['table'] } })
    expect(body.data.markdown).toContain('1901')
    expect(body.data.markdown).not.toContain('burns')
  })
})

it('the options may precede the file in the form', async () => {
  const form = new FormData()
  form.append('options', JSON.stringify({ formats: ['html'] }))
  form.append('file', new Blob(['<p>Fog</p>']), 'a.html')
  const { body } = await postForm(form)
  expect(body.data.html).toContain('Fog')
  expect(body.data).not.toHaveProperty('markdown')
})

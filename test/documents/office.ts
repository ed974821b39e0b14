import { ole } from './ole.ts'
import { zip } from './zip.ts'

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Returns the content types and the relationship to the main part, which every package of this kind has. */
function openXml(main: string, type: string, parts: Record<string, string>): Record<string, string> {
  const typePrefix = 'application/vnd.openxmlformats-officedocument'
  return {
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/${main}" ContentType="${typePrefix}.${type}.main+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packageRelations}"><Relationship Id="r1" Type="${relations}/officeDocument" Target="${main}"/></Relationships>`,
    ),
    ...parts,
  }
}

const wordSpace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export function docxParts(body: string): Record<string, string> {
  return openXml('word/document.xml', 'wordprocessingml.document', {
    'word/document.xml': xml(`<w:document ${wordSpace}><w:body>${body}</w:body></w:document>`),
    'word/styles.xml': xml(
      `<w:styles ${wordSpace}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    ),
    'word/_rels/document.xml.rels': xml(
      `<Relationships xmlns="${packageRelations}"><Relationship Id="s1" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'docProps/core.xml': xml(
      '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Keepers</dc:title><dc:creator>A. Keeper</dc:creator></cp:coreProperties>',
    ),
  })
}

const wordText = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const wordCell = (text: string) => `<w:tc><w:p>${wordText(text)}</w:p></w:tc>`

const mathSpace = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
const mathText = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`

/** Returns a document with inline and display formulas, and a link with a fragment. */
export function docxOfFormulas(): Buffer {
  const fraction = `<m:f><m:num>${mathText('a_1')}</m:num><m:den><m:rad><m:deg/><m:e>${mathText('b')}</m:e></m:rad></m:den></m:f>`
  const sum =
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mathText('i=1')}</m:sub><m:sup>${mathText('n')}</m:sup>` +
    `<m:e><m:sSup><m:e>${mathText('α')}</m:e><m:sup>${mathText('i')}</m:sup></m:sSup></m:e></m:nary>`
  const parts = docxParts(
    `<w:p ${mathSpace}>${wordText('Here ')}<m:oMath>${fraction}</m:oMath>${wordText(' is small.')}</w:p>` +
      `<w:p ${mathSpace}><m:oMathPara><m:oMath>${sum}</m:oMath></m:oMathPara></w:p>` +
      `<w:p xmlns:r="${relations}"><w:hyperlink r:id="h1" w:anchor="spring">${wordText('Tides')}</w:hyperlink></w:p>`,
  )
  const link = `<Relationship Id="h1" Type="${relations}/hyperlink" Target="https://tides.example/may" TargetMode="External"/>`
  const name = 'word/_rels/document.xml.rels'
  return zip({ ...parts, [name]: parts[name]?.replace('</Relationships>', `${link}</Relationships>`) ?? '' })
}

export const docx = () =>
  zip(
    docxParts(
      `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${wordText('The lighthouse')}</w:p>` +
        `<w:p>${wordText('It burns all night.')}</w:p>` +
        `<w:tbl><w:tr>${wordCell('Year')}${wordCell('Ships')}</w:tr><w:tr>${wordCell('1901')}${wordCell('42')}</w:tr></w:tbl>`,
    ),
  )

const sheetSpace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

export function xlsx(cells: string, sheet = 'Ships'): Buffer {
  return zip(
    openXml('xl/workbook.xml', 'spreadsheetml.sheet', {
      'xl/workbook.xml': xml(
        `<workbook ${sheetSpace} xmlns:r="${relations}"><sheets><sheet name="${sheet}" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': xml(
        `<Relationships xmlns="${packageRelations}"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet1.xml': xml(`<worksheet ${sheetSpace}><sheetData>${cells}</sheetData></worksheet>`),
    }),
  )
}

/** Returns a workbook whose second sheet contains only a chart. */
export function xlsxWithChart(): Buffer {
  const relationships = (...targets: [string, string][]) =>
    xml(
      `<Relationships xmlns="${packageRelations}">${targets
        .map(
          ([type, target], index) =>
            `<Relationship Id="r${index + 1}" Type="${relations}/${type}" Target="${target}"/>`,
        )
        .join('')}</Relationships>`,
    )
  const points = (...values: string[]) =>
    `<c:strRef><c:strCache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:strCache></c:strRef>`
  const series = `<c:ser><c:tx>${points('Ships')}</c:tx><c:cat>${points('1901', '1902')}</c:cat><c:val>${points('42', '57')}</c:val></c:ser>`
  const title =
    '<c:title><c:tx><c:rich><a:p><a:r><a:t>Ships by year</a:t></a:r></a:p></c:rich></c:tx></c:title>'
  const sheet = (cells: string, rest = '') =>
    xml(`<worksheet ${sheetSpace} xmlns:r="${relations}"><sheetData>${cells}</sheetData>${rest}</worksheet>`)
  return zip(
    openXml('xl/workbook.xml', 'spreadsheetml.sheet', {
      'xl/workbook.xml': xml(
        `<workbook ${sheetSpace} xmlns:r="${relations}"><sheets><sheet name="Ships" sheetId="1" r:id="r1"/><sheet name="Drawn" sheetId="2" r:id="r2"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relationships(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
      ),
      'xl/worksheets/sheet1.xml': sheet(sheetCells),
      'xl/worksheets/sheet2.xml': sheet('', '<drawing r:id="r1"/>'),
      'xl/worksheets/_rels/sheet2.xml.rels': relationships(['drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': xml(
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>',
      ),
      'xl/drawings/_rels/drawing1.xml.rels': relationships(['chart', '../charts/chart1.xml']),
      'xl/charts/chart1.xml': xml(
        `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>${title}<c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
      ),
    }),
  )
}

export const sheetCells =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Tons</t></is></c></row>' +
  '<row r="2"><c r="A2" t="inlineStr"><is><t>Aurora</t></is></c><c r="B2"><v>310</v></c></row>'

/** Two cells in opposite corners of the largest possible sheet. */
export const farCells =
  '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'

export function pptx(): Buffer {
  const space =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
    `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relations}"`
  const shape = (id: number, kind: string, text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="s${id}"/><p:cNvSpPr/><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:spPr/>` +
    `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  return zip(
    openXml('ppt/presentation.xml', 'presentationml.presentation', {
      'ppt/presentation.xml': xml(
        `<p:presentation ${space}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
      ),
      'ppt/_rels/presentation.xml.rels': xml(
        `<Relationships xmlns="${packageRelations}"><Relationship Id="r1" Type="${relations}/slide" Target="slides/slide1.xml"/></Relationships>`,
      ),
      'ppt/slides/slide1.xml': xml(
        `<p:sld ${space}><p:cSld><p:spTree>${shape(2, 'title', 'Lamps')}${shape(3, 'body', 'Oil, gas, current')}</p:spTree></p:cSld></p:sld>`,
      ),
    }),
  )
}

/** Returns an odt, ods or odp file. They differ in the media type and in the element of their body. */
export function openDocument(kind: 'text' | 'spreadsheet' | 'presentation', body: string): Buffer {
  const spaces = ['office', 'text', 'table', 'draw', 'presentation']
    .map(
      (name) =>
        `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
    )
    .join(' ')
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': xml(
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    ),
    'content.xml': xml(
      `<office:document-content ${spaces} office:version="1.2"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ),
  })
}

export function epub(): Buffer {
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': xml(
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    'OPS/book.opf': xml(
      '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Lights</dc:title></metadata>' +
        '<manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="two" href="two.xhtml"/><item id="one" href="one.xhtml"/></manifest>' +
        '<spine><itemref idref="n"/><itemref idref="one"/><itemref idref="two"/></spine></package>',
    ),
    'OPS/nav.xhtml': chapter('<nav><ol><li>Contents of the book</li></ol></nav>'),
    'OPS/one.xhtml': chapter(
      `<h1>First light</h1><p>A fire on a <em>hill</em>.${reference}</p>${note('Of oak.')}`,
    ),
    'OPS/two.xhtml': chapter(
      `<h1>Second light</h1><p>A lamp in a tower.${reference}</p>${note('Of stone.')}`,
    ),
  })
}

const reference = '<sup><a href="#n1">1</a></sup>'
const note = (text: string) => `<aside id="n1"><p>${text}</p></aside>`
const chapter = (body: string) =>
  xml(`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`)

/** Returns a document in the format of Word 6: a header, then text with one byte per letter. */
export function doc(text: string, options: { encrypted?: boolean } = {}): Buffer {
  const header = Buffer.alloc(0x300)
  header.writeUInt16LE(0xa5dc, 0)
  header.writeUInt16LE(104, 2)
  header.writeUInt16LE(options.encrypted ? 0x0100 : 0, 10)
  header.writeUInt32LE(0x300, 0x18)
  header.writeUInt32LE(0x300 + text.length, 0x1c)
  return ole({ WordDocument: Buffer.concat([header, Buffer.from(text, 'latin1')]) })
}

/** Returns a workbook in the binary format with one sheet and two cells. */
export function xls(options: { encrypted?: boolean; stream?: string } = {}): Buffer {
  const record = (id: number, ...fields: Buffer[]) => {
    const body = Buffer.concat(fields)
    const header = Buffer.alloc(4)
    header.writeUInt16LE(id, 0)
    header.writeUInt16LE(body.length, 2)
    return Buffer.concat([header, body])
  }
  const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const startRecord = (kind: number) => record(0x809, uint16(0x600, kind, 0xdbb, 0x7cc, 0, 0, 0x6, 0))
  const label = (row: number, column: number, text: string) =>
    record(0x204, uint16(row, column, 0, text.length), Buffer.from([0]), Buffer.from(text, 'latin1'))
  const number = (row: number, column: number, value: number) => {
    const double = Buffer.alloc(8)
    double.writeDoubleLE(value)
    return record(0x203, uint16(row, column, 0), double)
  }
  const encryption = options.encrypted ? [record(0x2f, uint16(0, 1, 2))] : []
  const before = Buffer.concat([startRecord(5), ...encryption])
  const name = 'Harbour'
  const sheetStart = before.length + 4 + 8 + name.length + 4
  const offset = Buffer.alloc(4)
  offset.writeUInt32LE(sheetStart)
  const bound = record(0x85, offset, uint16(0), Buffer.from([name.length, 0]), Buffer.from(name))
  const sheet = Buffer.concat([
    startRecord(0x10),
    label(0, 0, 'Ship'),
    label(0, 1, 'Crew'),
    label(1, 0, 'Borealis'),
    number(1, 1, 17),
    record(0x0a),
  ])
  return ole({ [options.stream ?? 'Workbook']: Buffer.concat([before, bound, record(0x0a), sheet]) })
}

/**
 * Returns a presentation in the binary format: one slide with a title and optionally a table, and the records that
 * point to it.
 */
export function ppt(title: string, table: string[][] = []): Buffer {
  const atom = (type: number, body: Buffer, version = 0, instance = 0) => {
    const header = Buffer.alloc(8)
    header.writeUInt16LE(version | (instance << 4), 0)
    header.writeUInt16LE(type, 2)
    header.writeUInt32LE(body.length, 4)
    return Buffer.concat([header, body])
  }
  const container = (type: number, instance: number, ...children: Buffer[]) =>
    atom(type, Buffer.concat(children), 0xf, instance)
  const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
  const text = Buffer.concat([atom(0x0f9f, uint32(0)), atom(0x0fa0, Buffer.from(title, 'utf16le'))])
  const slides = container(0x0ff0, 0, atom(0x03f3, uint32(2, 0, 1, 256, 0)), text)
  const documentAtom = atom(0x03e9, Buffer.alloc(40), 1)
  const document = container(0x03e8, 0, documentAtom, slides, atom(0x03ea, Buffer.alloc(0)))
  const slideAtom = atom(0x03ef, Buffer.alloc(24), 2)
  const cell = (text: string, column: number, row: number) =>
    container(
      0xf004,
      0,
      atom(0xf00a, uint32(2050 + row * 10 + column, 0xa02), 2, 202),
      atom(0xf00f, uint32(column * 100, row * 50, column * 100 + 100, row * 50 + 50)),
      container(0xf00d, 0, atom(0x0f9f, uint32(4)), atom(0x0fa0, Buffer.from(text, 'utf16le'))),
    )
  const tableMarker = atom(0xf122, Buffer.from([0x9f, 0x03, 1, 0, 0, 0]), 3, 1)
  const group = (id: number, ...parts: Buffer[]) =>
    container(0xf004, 0, atom(0xf009, uint32(0, 0, 0, 0), 1), atom(0xf00a, uint32(id, 0x201), 2), ...parts)
  const cells = table.flatMap((row, rowIndex) => row.map((text, column) => cell(text, column, rowIndex)))
  const shapes = container(0xf003, 0, group(2048), container(0xf003, 0, group(2049, tableMarker), ...cells))
  const drawing = container(0x040c, 0, container(0xf002, 0, atom(0xf008, uint32(20, 2100), 0, 1), shapes))
  const slide = container(0x03ee, 0, slideAtom, ...(cells.length > 0 ? [drawing] : []))
  const directoryOffset = document.length + slide.length
  const directory = atom(0x1772, uint32(1 | (2 << 20), 0, document.length))
  const edit = atom(0x0ff5, uint32(256, 0x03000dba, 0, directoryOffset, 1, 3, 0))
  const user = atom(
    0x0ff6,
    Buffer.concat([uint32(20, 0xe391c05f, directoryOffset + directory.length), Buffer.alloc(8)]),
  )
  return ole({
    'PowerPoint Document': Buffer.concat([document, slide, directory, edit]),
    'Current User': user,
  })
}

import { posix } from 'node:path'
import { decodeXML } from 'entities'
import type { ConvertedDocument } from './document.ts'
import { renderMarkdownTable, toConvertedDocument } from './finish.ts'
import { readOffice, readPackageMetadata, readPackagePart } from './office.ts'
import { escapeText, renderOfficeDocument } from './office-markdown.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'

export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  // The xlsx reader of the library distinguishes the old and the binary format by their bytes.
  const document = await readOffice(bytes, type.name, type.name === 'ods' ? 'ods' : 'xlsx')
  const markdown = renderOfficeDocument(document)
  // The library writes sheet headings only if there are several sheets.
  const kinds: string[] = document.blocks.map((block) => block.kind)
  const isHeaded = kinds.includes('heading')
  const [name] = isHeaded || markdown.trim() === '' ? [] : readSheetNames(bytes, type)
  const content = (name === undefined ? '' : `${toHeading(name)}\n\n`) + markdown
  const charts = type.name === 'xlsx' ? renderCharts(bytes, content) : []
  const metadata = readPackageMetadata(bytes, type)
  return toConvertedDocument([content, ...charts].join('\n\n'), { metadata })
}

const toHeading = (name: string) => `## ${escapeText(name.replace(/\s+/g, ' '))}`

/** The library reads only cells. If the text contains the sheet of a chart, only the chart title is new. */
function renderCharts(bytes: Buffer, markdown: string): string[] {
  const lines = new Set(markdown.split('\n'))
  const parts = readRelationships(bytes, 'xl/workbook.xml')
  return listVisibleXlsxSheets(bytes).flatMap(({ name, relation }) => {
    const sheet = parts.get(relation)
    const charts = sheet === undefined ? [] : readCharts(bytes, sheet)
    if (charts.length === 0) return []
    const heading = toHeading(name)
    const hasSheet = lines.has(heading)
    return [...(hasSheet ? [] : [heading]), ...charts.map((chart) => renderChart(chart, !hasSheet))]
  })
}

function readSheetNames(bytes: Buffer, type: DocumentType): string[] {
  if (type.name === 'xlsx') return listVisibleXlsxSheets(bytes).map(({ name }) => name)
  if (type.name === 'ods') {
    const content = readPackagePart(bytes, 'content.xml') ?? ''
    const names = content.matchAll(/<table:table\s[^>]{0,1000}?table:name="([^"]*)"/g)
    return Array.from(names, ([, name = '']) => decodeXML(name))
  }
  return type.name === 'xls' ? readXlsSheetNames(bytes) : []
}

function listVisibleXlsxSheets(bytes: Buffer): { name: string; relation: string }[] {
  const workbook = readPackagePart(bytes, 'xl/workbook.xml') ?? ''
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s([^<>]{0,2000})>/g)].flatMap(([, attributes = '']) => {
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1]
    if (name === undefined || /\bstate="(?:hidden|veryHidden)"/.test(attributes)) return []
    return [{ name: decodeXML(name), relation: /\br:id="([^"]*)"/.exec(attributes)?.[1] ?? '' }]
  })
}

const boundSheet = 0x85

function readXlsSheetNames(bytes: Buffer): string[] {
  const file = readOle(bytes)
  const stream = file?.findStream('Workbook') ?? file?.findStream('Book')
  if (!file || !stream) return []
  const start = file.read(stream, 1024 * 1024)
  const names: string[] = []
  for (let at = 0; at + 4 <= start.length; at += 4 + start.readUInt16LE(at + 2)) {
    const length = start.readUInt16LE(at + 2)
    if (start.readUInt16LE(at) !== boundSheet || at + 4 + length > start.length || length < 8) continue
    const isShown = (start[at + 8] ?? 0) === 0
    if (isShown) names.push(readSheetName(start.subarray(at + 10, at + 4 + length)))
  }
  return names.filter((name) => name !== '')
}

function readSheetName(record: Buffer): string {
  const letterCount = record[0] ?? 0
  // Before Excel 97, the name follows its length without a flag.
  if (record.length === letterCount + 1) return record.toString('latin1', 1)
  if (record[1] === 1) return record.toString('utf16le', 2, 2 + letterCount * 2)
  return record.toString('latin1', 2, 2 + letterCount)
}

interface Chart {
  title: string
  /** Names of the series, then one row per category. */
  rows: string[][]
}

function renderChart({ title, rows }: Chart, hasTable: boolean): string {
  const table = hasTable && rows.length > 1 ? renderMarkdownTable(rows) : ''
  return [escapeText(title), table].filter((part) => part !== '').join('\n\n')
}

function readCharts(bytes: Buffer, sheet: string): Chart[] {
  return [...readRelationships(bytes, sheet).values()]
    .filter((name) => /\/drawings\/[^/]+\.xml$/.test(name))
    .flatMap((drawing) => [...readRelationships(bytes, drawing).values()])
    .filter((name) => /\/charts\/chart[^/]*\.xml$/.test(name))
    .map((name) => readChart(readPackagePart(bytes, name) ?? ''))
}

function readRelationships(bytes: Buffer, part: string): Map<string, string> {
  const folder = posix.dirname(part)
  const xml = readPackagePart(bytes, `${folder}/_rels/${posix.basename(part)}.rels`) ?? ''
  const targets = new Map<string, string>()
  for (const [, attributes = ''] of xml.matchAll(/<Relationship\s([^<>]{0,4000})>/g)) {
    const id = /\bId="([^"]*)"/.exec(attributes)?.[1]
    const target = decodeXML(/\bTarget="([^"]*)"/.exec(attributes)?.[1] ?? '')
    if (id === undefined || /TargetMode="External"/.test(attributes)) continue
    targets.set(id, target.startsWith('/') ? target.slice(1) : posix.join(folder, target))
  }
  return targets
}

function readChart(xml: string): Chart {
  const series = findElements(xml, 'c:ser').map((element) => ({
    name: readValues(findElements(element, 'c:tx')[0]).join(' '),
    categories: readValues(findElements(element, 'c:cat')[0] ?? findElements(element, 'c:xVal')[0]),
    values: readValues(findElements(element, 'c:val')[0] ?? findElements(element, 'c:yVal')[0]),
  }))
  const titleParts = findElements(xml, 'c:title')[0]?.matchAll(/<a:t>([^<]*)</g) ?? []
  const title = Array.from(titleParts, ([, text = '']) => text)
  const categories = series[0]?.categories ?? []
  const rowCount = series.reduce((max, { values }) => Math.max(max, values.length), 0)
  const rows = Array.from({ length: rowCount }, (_, at) => [
    categories[at] ?? '',
    ...series.map(({ values }) => values[at] ?? ''),
  ])
  return { title: decodeXML(title.join('')).trim(), rows: [['', ...series.map(({ name }) => name)], ...rows] }
}

function findElements(xml: string, name: string): string[] {
  const contents: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf(`<${name}>`, at)
    const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
    if (end === -1) return contents
    contents.push(xml.slice(start + name.length + 2, end))
    at = end
  }
}

const maxPoints = 10_000

function readValues(xml = ''): string[] {
  const result: string[] = []
  for (const [, index = '', value = ''] of xml.matchAll(/<c:pt\s+idx="(\d{1,7})"[^<>]*>\s*<c:v>([^<]*)</g)) {
    if (Number(index) < maxPoints) result[Number(index)] = decodeXML(value).trim()
  }
  return Array.from(result, (value) => value ?? '')
}

import { posix } from 'node:path'
import { decodeXML } from 'entities'
import type { ConvertedDocument } from './document.ts'
import { finish, markdownTable } from './finish.ts'
import { packageMetadata, readOffice, readPackagePart } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'

/** Workbooks: a heading and a table for each sheet that is shown. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  // The library's reader of xlsx tells the old and the binary format by their bytes.
  const document = await readOffice(bytes, type.name, type.name === 'ods' ? 'ods' : 'xlsx')
  const markdown = officeMarkdown(document)
  // The library heads the sheets only where there are several.
  const kinds: string[] = document.blocks.map((block) => block.kind)
  const isHeaded = kinds.includes('heading')
  const [name] = isHeaded || markdown.trim() === '' ? [] : sheetNames(bytes, type)
  const whole = (name === undefined ? '' : `${headOf(name)}\n\n`) + markdown
  const charts = type.name === 'xlsx' ? chartsOf(bytes, whole) : []
  return finish([whole, ...charts].join('\n\n'), { metadata: packageMetadata(bytes, type) })
}

const headOf = (name: string) => `## ${name.replace(/\s+/g, ' ').replace(/[\\`*_[\]<]/g, '\\$&')}`

/** A chart shows what cells hold: where the sheet has those, its title is all that is new. */
function chartsOf(bytes: Buffer, markdown: string): string[] {
  const lines = new Set(markdown.split('\n'))
  return chartedSheets(bytes).flatMap(({ name, charts }) => {
    const head = headOf(name)
    const isKnown = lines.has(head)
    return [...(isKnown ? [] : [head]), ...charts.map((chart) => chartMarkdown(chart, !isKnown))]
  })
}

/** Names of the sheets that are shown, in their order; none where they cannot be read. */
function sheetNames(bytes: Buffer, type: DocumentType): string[] {
  if (type.name === 'xlsx') return ofWorkbook(readPackagePart(bytes, 'xl/workbook.xml') ?? '')
  if (type.name === 'ods') return ofOpenDocument(readPackagePart(bytes, 'content.xml') ?? '')
  return type.name === 'xls' ? ofBinary(bytes) : []
}

function ofWorkbook(xml: string): string[] {
  return [...xml.matchAll(/<(?:\w+:)?sheet\s([^>]{0,2000})>/g)].flatMap(([, attributes = '']) => {
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1]
    return name === undefined || /\bstate="(?:hidden|veryHidden)"/.test(attributes) ? [] : [decodeXML(name)]
  })
}

function ofOpenDocument(xml: string): string[] {
  return [...xml.matchAll(/<table:table\s[^>]{0,1000}?table:name="([^"]*)"/g)].map(([, name = '']) =>
    decodeXML(name),
  )
}

const boundSheet = 0x85

/** Records of the old format: each names its sheet after six bytes of other facts. */
function ofBinary(bytes: Buffer): string[] {
  const file = readOle(bytes)
  const stream = file?.named('Workbook') ?? file?.named('Book')
  if (!file || !stream) return []
  const start = file.read(stream, 1024 * 1024)
  const names: string[] = []
  for (let at = 0; at + 4 <= start.length; at += 4 + start.readUInt16LE(at + 2)) {
    const length = start.readUInt16LE(at + 2)
    if (start.readUInt16LE(at) !== boundSheet || at + 4 + length > start.length || length < 8) continue
    const isShown = (start[at + 8] ?? 0) === 0
    if (isShown) names.push(nameAt(start.subarray(at + 10, at + 4 + length)))
  }
  return names.filter((name) => name !== '')
}

function nameAt(record: Buffer): string {
  const letters = record[0] ?? 0
  const isWide = (record[1] ?? 0) === 1
  // Before Excel 97 the name follows its length without a flag.
  if (record.length === letters + 1) return record.toString('latin1', 1)
  return isWide ? record.toString('utf16le', 2, 2 + letters * 2) : record.toString('latin1', 2, 2 + letters)
}

/** A sheet that is shown, and what is drawn on it. */
interface ChartedSheet {
  name: string
  charts: Chart[]
}

interface Chart {
  title: string
  /** The names of the series, then a row for each of their places. */
  rows: string[][]
}

/** Charts of a workbook, by sheet. The library reads cells alone, so a sheet that is one chart would be lost. */
function chartedSheets(bytes: Buffer): ChartedSheet[] {
  const workbook = readPackagePart(bytes, 'xl/workbook.xml') ?? ''
  const parts = targetsOf(bytes, 'xl/workbook.xml')
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s([^<>]{0,2000})>/g)].flatMap(([, attributes = '']) => {
    if (/\bstate="(?:hidden|veryHidden)"/.test(attributes)) return []
    const sheet = parts.get(/\br:id="([^"]*)"/.exec(attributes)?.[1] ?? '')
    const name = decodeXML(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '')
    const charts = sheet === undefined ? [] : chartsOn(bytes, sheet)
    return charts.length === 0 ? [] : [{ name, charts }]
  })
}

function chartMarkdown({ title, rows }: Chart, isWhole: boolean): string {
  const table = isWhole && rows.length > 1 ? markdownTable(rows) : ''
  const plain = title.replace(/[\\`*_[\]<]/g, '\\$&')
  return [plain, table].filter((part) => part !== '').join('\n\n')
}

function chartsOn(bytes: Buffer, sheet: string): Chart[] {
  const drawings = [...targetsOf(bytes, sheet).values()].filter((name) =>
    /\/drawings\/[^/]+\.xml$/.test(name),
  )
  return drawings
    .flatMap((drawing) => [...targetsOf(bytes, drawing).values()])
    .filter((name) => /\/charts\/chart[^/]*\.xml$/.test(name))
    .map((name) => readChart(readPackagePart(bytes, name) ?? ''))
}

/** What a part refers to, by the names it has for it. */
function targetsOf(bytes: Buffer, part: string): Map<string, string> {
  const folder = posix.dirname(part)
  const xml = readPackagePart(bytes, `${folder}/_rels/${posix.basename(part)}.rels`) ?? ''
  const found = new Map<string, string>()
  for (const [, attributes = ''] of xml.matchAll(/<Relationship\s([^<>]{0,4000})>/g)) {
    const id = /\bId="([^"]*)"/.exec(attributes)?.[1]
    const target = decodeXML(/\bTarget="([^"]*)"/.exec(attributes)?.[1] ?? '')
    if (id === undefined || /TargetMode="External"/.test(attributes)) continue
    found.set(id, target.startsWith('/') ? target.slice(1) : posix.join(folder, target))
  }
  return found
}

function readChart(xml: string): Chart {
  const series = sections(xml, 'c:ser').map((one) => ({
    name: values(sections(one, 'c:tx')[0] ?? '').join(' '),
    places: values(sections(one, 'c:cat')[0] ?? sections(one, 'c:xVal')[0] ?? ''),
    values: values(sections(one, 'c:val')[0] ?? sections(one, 'c:yVal')[0] ?? ''),
  }))
  const title = [...(sections(xml, 'c:title')[0] ?? '').matchAll(/<a:t>([^<]*)</g)].map(
    ([, text = '']) => text,
  )
  const places = series[0]?.places ?? []
  const longest = series.reduce((most, one) => Math.max(most, one.values.length), 0)
  const rows = Array.from({ length: longest }, (_, at) => [
    places[at] ?? '',
    ...series.map((one) => one.values[at] ?? ''),
  ])
  return { title: decodeXML(title.join('')).trim(), rows: [['', ...series.map((one) => one.name)], ...rows] }
}

/** The insides of all elements of that name; none of them holds another. */
function sections(xml: string, name: string): string[] {
  const found: string[] = []
  let at = 0
  for (;;) {
    const start = xml.indexOf(`<${name}>`, at)
    const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
    if (end === -1) return found
    found.push(xml.slice(start + name.length + 2, end))
    at = end
  }
}

/** More points than a reader can distinguish in a chart. */
const maxPoints = 10_000

/** What the chart last showed, at the places that its points name. */
function values(xml: string): string[] {
  const found: string[] = []
  for (const [, index = '', value = ''] of xml.matchAll(/<c:pt\s+idx="(\d{1,7})"[^<>]*>\s*<c:v>([^<]*)</g)) {
    if (Number(index) < maxPoints) found[Number(index)] = decodeXML(value).trim()
  }
  return Array.from(found, (value) => value ?? '')
}

import { posix } from 'node:path'
import { decodeXML } from 'entities'
import { markdownTable } from './markdown-table.ts'
import { packagePart } from './package-metadata.ts'

/** A sheet that is shown, and what is drawn on it. */
export interface ChartedSheet {
  name: string
  charts: Chart[]
}

interface Chart {
  title: string
  /** The names of the series, then a row for each of their places. */
  rows: string[][]
}

/** Charts of a workbook, by sheet. The library reads cells alone, so a sheet that is one chart would be lost. */
export function chartedSheets(bytes: Buffer): ChartedSheet[] {
  const workbook = packagePart(bytes, 'xl/workbook.xml') ?? ''
  const parts = targetsOf(bytes, 'xl/workbook.xml')
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s([^<>]{0,2000})>/g)].flatMap(([, attributes = '']) => {
    if (/\bstate="(?:hidden|veryHidden)"/.test(attributes)) return []
    const sheet = parts.get(/\br:id="([^"]*)"/.exec(attributes)?.[1] ?? '')
    const name = decodeXML(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '')
    const charts = sheet === undefined ? [] : chartsOn(bytes, sheet)
    return charts.length === 0 ? [] : [{ name, charts }]
  })
}

export function chartMarkdown({ title, rows }: Chart, isWhole: boolean): string {
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
    .map((name) => readChart(packagePart(bytes, name) ?? ''))
}

/** What a part refers to, by the names it has for it. */
function targetsOf(bytes: Buffer, part: string): Map<string, string> {
  const folder = posix.dirname(part)
  const xml = packagePart(bytes, `${folder}/_rels/${posix.basename(part)}.rels`) ?? ''
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
const mostPoints = 10_000

/** What the chart last showed, at the places that its points name. */
function values(xml: string): string[] {
  const found: string[] = []
  for (const [, index = '', value = ''] of xml.matchAll(/<c:pt\s+idx="(\d{1,7})"[^<>]*>\s*<c:v>([^<]*)</g)) {
    if (Number(index) < mostPoints) found[Number(index)] = decodeXML(value).trim()
  }
  return Array.from(found, (value) => value ?? '')
}

import { decodeXML } from 'entities'
import { readOle } from './ole.ts'
import { packagePart } from './package-metadata.ts'
import type { DocumentType } from './types/document-type.ts'

/** Names of the sheets that are shown, in their order; none where they cannot be read. */
export function sheetNames(bytes: Buffer, type: DocumentType): string[] {
  if (type.name === 'xlsx') return ofWorkbook(packagePart(bytes, 'xl/workbook.xml') ?? '')
  if (type.name === 'ods') return ofOpenDocument(packagePart(bytes, 'content.xml') ?? '')
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

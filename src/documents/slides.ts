import type { Block } from '@firecrawl/anydoc'
import type { ConvertedDocument } from './document.ts'
import { renderMarkdownTable, toConvertedDocument } from './finish.ts'
import { readOffice, readPackageMetadata } from './office.ts'
import { renderOfficeDocument } from './office-markdown.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'

export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const document = await readOffice(bytes, type.name)
  const tables = type.name === 'ppt' ? readPptTables(bytes) : []
  const parts = splitAtTables(document.blocks, tables).map((part) =>
    'rows' in part
      ? renderMarkdownTable(part.rows)
      : renderOfficeDocument({ ...document, blocks: part.blocks, notes: [] }),
  )
  const notes = renderOfficeDocument({ ...document, blocks: [] })
  const markdown = [...parts, notes].filter((part) => part.trim() !== '').join('\n\n')
  return toConvertedDocument(markdown, { metadata: readPackageMetadata(bytes, type) })
}

type Part = { blocks: Block[] } | { rows: string[][] }

/** The library returns the cells of a table as successive paragraphs, which are replaced. */
function splitAtTables(blocks: Block[], tables: SlideTable[]): Part[] {
  const texts = blocks.map(getText)
  const parts: Part[] = []
  let from = 0
  for (const { texts: cells, rows } of tables) {
    const lines = cells.flatMap((cell) => cell.split(/[\r\v]/).map(plain)).filter((line) => line !== '')
    const at = findLines(texts, lines, from)
    if (at === undefined) continue
    const cleanRows = rows.map((row) => row.map((cell) => cell.replace(/[\r\v]/g, '\n')))
    parts.push({ blocks: blocks.slice(from, at) }, { rows: cleanRows })
    from = at + lines.length
  }
  return [...parts, { blocks: blocks.slice(from) }]
}

function findLines(texts: string[], lines: string[], from: number): number | undefined {
  if (lines.length === 0) return undefined
  for (let at = from; at + lines.length <= texts.length; at += 1) {
    if (lines.every((line, index) => texts[at + index] === line)) return at
  }
  return undefined
}

const getText = ({ content }: Block) => plain((content ?? []).map(({ text = '' }) => text).join(''))
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

interface SlideTable {
  texts: string[]
  rows: string[][]
}

const maxBytes = 64 * 1024 * 1024
const maxDepth = 40

const [group, shape, options, textbox, anchor] = [0xf003, 0xf004, 0xf122, 0xf00d, 0xf00f]
const [wideText, narrowText] = [0x0fa0, 0x0fa8]
const tableProperties = 0x039f

function readPptTables(bytes: Buffer): SlideTable[] {
  const file = readOle(bytes)
  const stream = file?.findStream('PowerPoint Document')
  if (!file || !stream) return []
  const tables: SlideTable[] = []
  const visit = (records: PptRecord[], depth: number): void => {
    for (const record of records) {
      if (!record.isContainer || depth > maxDepth) continue
      const children = readRecords(record.body)
      if (record.type === group && isTable(children[0])) tables.push(...toTables(children.slice(1)))
      else visit(children, depth + 1)
    }
  }
  visit(readRecords(file.read(stream, maxBytes)), 0)
  return tables
}

interface PptRecord {
  type: number
  isContainer: boolean
  body: Buffer
}

function readRecords(bytes: Buffer): PptRecord[] {
  const result: PptRecord[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    const isContainer = ((bytes[at] ?? 0) & 0x0f) === 0x0f
    result.push({ type: bytes.readUInt16LE(at + 2), isContainer, body: bytes.subarray(at + 8, end) })
    at = end
  }
  return result
}

function isTable(first: PptRecord | undefined): boolean {
  if (first?.type !== shape) return false
  const optionData = readRecords(first.body).find(({ type }) => type === options)?.body
  for (let at = 0; optionData && at + 6 <= optionData.length; at += 6) {
    if ((optionData.readUInt16LE(at) & 0x3fff) === tableProperties)
      return (optionData.readUInt32LE(at + 2) & 1) === 1
  }
  return false
}

function toTables(shapes: PptRecord[]): SlideTable[] {
  const cells = shapes.flatMap(({ type, body }) => (type === shape ? toCell(readRecords(body)) : []))
  const lefts = sortUnique(cells.map((cell) => cell.left))
  const tops = sortUnique(cells.map((cell) => cell.top))
  if (lefts.length * tops.length > cells.length * 50) return []
  const rows = tops.map(() => lefts.map(() => ''))
  for (const { left, top, text } of cells) {
    const row = rows[tops.indexOf(top)]
    if (row) row[lefts.indexOf(left)] = text
  }
  return lefts.length < 2 ? [] : [{ texts: cells.map((cell) => cell.text), rows }]
}

const sortUnique = (values: number[]) => [...new Set(values)].toSorted((a, b) => a - b)

function toCell(records: PptRecord[]) {
  const anchorBody = records.find(({ type }) => type === anchor)?.body
  const textboxBody = records.find(({ type }) => type === textbox)?.body
  if (!textboxBody || !anchorBody || anchorBody.length < 8) return []
  const atom = readRecords(textboxBody).find(({ type }) => type === wideText || type === narrowText)
  const text = atom?.body.toString(atom.type === wideText ? 'utf16le' : 'latin1') ?? ''
  return [{ left: anchorBody.readInt32LE(0), top: anchorBody.readInt32LE(4), text }]
}

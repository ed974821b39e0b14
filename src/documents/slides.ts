import type { Block } from '@firecrawl/anydoc'
import type { ConvertedDocument } from './document.ts'
import { finish, markdownTable } from './finish.ts'
import { packageMetadata, readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { readOle } from './ole.ts'
import type { DocumentType } from './types/document-type.ts'

/** Presentations: pptx, ppt, odp; slides in their order, each with its notes. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  const document = await readOffice(bytes, type.name)
  const tables = type.name === 'ppt' ? pptTables(bytes) : []
  const parts = partsOf(document.blocks, tables).map((part) =>
    'rows' in part
      ? markdownTable(part.rows)
      : officeMarkdown({ ...document, blocks: part.blocks, notes: [] }),
  )
  const notes = officeMarkdown({ ...document, blocks: [] })
  const markdown = [...parts, notes].filter((part) => part.trim() !== '').join('\n\n')
  return finish(markdown, { metadata: packageMetadata(bytes, type) })
}

type Part = { blocks: Block[] } | { rows: string[][] }

/** The library has the cells of a table as paragraphs, one after the other: where they stand, the table does. */
function partsOf(blocks: Block[], tables: SlideTable[]): Part[] {
  const texts = blocks.map(textOf)
  const parts: Part[] = []
  let from = 0
  for (const { texts: cells, rows } of tables) {
    const lines = cells.flatMap((cell) => cell.split(/[\r\v]/).map(plain)).filter((line) => line !== '')
    const at = placeOf(texts, lines, from)
    if (at === undefined) continue
    parts.push(
      { blocks: blocks.slice(from, at) },
      { rows: rows.map((row) => row.map((cell) => cell.replace(/[\r\v]/g, '\n'))) },
    )
    from = at + lines.length
  }
  return [...parts, { blocks: blocks.slice(from) }]
}

function placeOf(texts: string[], lines: string[], from: number): number | undefined {
  if (lines.length === 0) return undefined
  for (let at = from; at + lines.length <= texts.length; at += 1) {
    if (lines.every((line, index) => texts[at + index] === line)) return at
  }
  return undefined
}

const textOf = ({ content }: Block) => plain((content ?? []).map(({ text = '' }) => text).join(''))
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A table of a slide: its cells as they follow each other in the file, and in their rows. */
interface SlideTable {
  texts: string[]
  rows: string[][]
}

const maxBytes = 64 * 1024 * 1024
const maxDepth = 40

const [group, shape, options, textbox, anchor] = [0xf003, 0xf004, 0xf122, 0xf00d, 0xf00f]
const [wideText, narrowText] = [0x0fa0, 0x0fa8]
const tableProperties = 0x039f

/** The tables of a presentation of the binary format: groups of shapes that say they are one. */
function pptTables(bytes: Buffer): SlideTable[] {
  const file = readOle(bytes)
  const stream = file?.named('PowerPoint Document')
  if (!file || !stream) return []
  const tables: SlideTable[] = []
  const visit = (records: PptRecord[], depth: number): void => {
    for (const record of records) {
      if (!record.isContainer || depth > maxDepth) continue
      const children = recordsIn(record.body)
      if (record.type === group && isTable(children[0])) tables.push(...tableOf(children.slice(1)))
      else visit(children, depth + 1)
    }
  }
  visit(recordsIn(file.read(stream, maxBytes)), 0)
  return tables
}

interface PptRecord {
  type: number
  isContainer: boolean
  body: Buffer
}

function recordsIn(bytes: Buffer): PptRecord[] {
  const found: PptRecord[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    const isContainer = ((bytes[at] ?? 0) & 0x0f) === 0x0f
    found.push({ type: bytes.readUInt16LE(at + 2), isContainer, body: bytes.subarray(at + 8, end) })
    at = end
  }
  return found
}

/** The first shape of a group speaks for it; among its options one tells a table. */
function isTable(first: PptRecord | undefined): boolean {
  if (first?.type !== shape) return false
  const said = recordsIn(first.body).find(({ type }) => type === options)?.body
  for (let at = 0; said && at + 6 <= said.length; at += 6) {
    if ((said.readUInt16LE(at) & 0x3fff) === tableProperties) return (said.readUInt32LE(at + 2) & 1) === 1
  }
  return false
}

interface PlacedText {
  left: number
  top: number
  text: string
}

function tableOf(shapes: PptRecord[]): SlideTable[] {
  const cells = shapes.flatMap((one) => (one.type === shape ? cellOf(recordsIn(one.body)) : []))
  const lefts = edges(cells.map((cell) => cell.left))
  const tops = edges(cells.map((cell) => cell.top))
  if (lefts.length * tops.length > cells.length * 50) return []
  const rows = tops.map(() => lefts.map(() => ''))
  for (const { left, top, text } of cells) {
    const row = rows[tops.indexOf(top)]
    if (row) row[lefts.indexOf(left)] = text
  }
  return lefts.length < 2 ? [] : [{ texts: cells.map((cell) => cell.text), rows }]
}

const edges = (values: number[]) => [...new Set(values)].toSorted((one, other) => one - other)

/** Lines between the cells are shapes as well, without a text. */
function cellOf(records: PptRecord[]): PlacedText[] {
  const place = records.find(({ type }) => type === anchor)?.body
  const box = records.find(({ type }) => type === textbox)?.body
  if (!box || !place || place.length < 8) return []
  const atom = recordsIn(box).find(({ type }) => type === wideText || type === narrowText)
  const text = atom?.body.toString(atom.type === wideText ? 'utf16le' : 'latin1') ?? ''
  return [{ left: place.readInt32LE(0), top: place.readInt32LE(4), text }]
}

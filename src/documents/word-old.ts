import { decodeBytes } from '../content/encoding/encoding.ts'
import { markdownTable } from './markdown-table.ts'
import { readOle } from './ole.ts'

/** Versions of the format that Word 6 and 95 wrote, in all their editions. */
const isOld = (version: number) => version >= 101 && version <= 105

/** A document of Word 6 or 95, which no library reads; nothing when it is a later one. */
export function oldWordMarkdown(bytes: Buffer): string | undefined {
  const file = readOle(bytes)
  const stream = file?.named('WordDocument')
  const document = file && stream && file.read(stream, stream.size)
  if (!document || document.length < 0x180 || !isOld(document.readUInt16LE(2))) return undefined
  const isInPieces = (document.readUInt16LE(10) & 4) !== 0
  const text = isInPieces ? pieces(document) : undefined
  const start = document.readUInt32LE(0x18)
  const end = Math.min(document.length, document.readUInt32LE(0x1c))
  return toMarkdown(text ?? decodeBytes(document.subarray(start, Math.max(start, end)), 'windows-1252'))
}

/** A document that was saved in a hurry: its text lies in pieces, and a table says in which order. */
function pieces(document: Buffer): string | undefined {
  const at = document.readUInt32LE(0x160)
  const table = document.subarray(at, at + document.readUInt32LE(0x164))
  let place = 0
  // Before the table stand settings, each with its length.
  while (place + 3 <= table.length && table[place] === 1) place += 3 + table.readUInt16LE(place + 1)
  if (place + 5 > table.length || table[place] !== 2) return undefined
  const count = Math.floor((table.readUInt32LE(place + 1) - 4) / 12)
  const positions = place + 5
  const entries = positions + (count + 1) * 4
  if (count < 1 || count > 100_000 || entries + count * 8 > table.length) return undefined
  let text = ''
  for (let piece = 0; piece < count; piece += 1) {
    const from = table.readUInt32LE(positions + piece * 4)
    const to = table.readUInt32LE(positions + piece * 4 + 4)
    const start = table.readUInt32LE(entries + piece * 8 + 2)
    if (to < from || start + (to - from) > document.length) return undefined
    text += decodeBytes(document.subarray(start, start + (to - from)), 'windows-1252')
  }
  return text
}

/** Paragraphs end with a return, cells with a bell, rows with one more of them. */
function toMarkdown(text: string): string {
  const parts: string[] = []
  let rows: string[][] = []
  const close = () => {
    if (rows.length > 0) parts.push(markdownTable(rows))
    rows = []
  }
  for (const line of withoutFields(text).split(/[\r\f]/)) {
    const cells = line.split('\x07')
    const after = cells.pop() ?? ''
    if (cells.length > 0) for (const row of rowsOf(cells)) rows.push(row)
    if (after.trim() === '') continue
    close()
    parts.push(plain(after))
  }
  close()
  return parts.join('\n\n')
}

/** Cells of one or more rows; an empty one ends a row. */
function rowsOf(cells: string[]): string[][] {
  const rows: string[][] = [[]]
  for (const cell of cells) {
    if (cell === '' && (rows.at(-1)?.length ?? 0) > 0) rows.push([])
    else rows.at(-1)?.push(cell.trim())
  }
  return rows.filter((row) => row.some((cell) => cell !== ''))
}

/** Of a field, such as a link or a date, only what it shows is text. */
function withoutFields(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of fields are control characters
  return text.replace(/\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15/g, '$1').replace(/\x0b/g, '\n')
}

const plain = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of pictures and notes are control characters
    .replace(/[\x00-\x06\x08\x0e-\x1f]/g, '')
    .replace(/[\\`*_[\]<]/g, '\\$&')
    .replace(/\t/g, ' ')
    .trim()

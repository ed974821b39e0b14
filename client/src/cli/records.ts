import type { Context } from './command.ts'
import { safeJson, safeLine } from './safe-text.ts'

/** Names and values, one per line, or JSON. */
export async function printRecord({ terminal, values }: Context, record: object): Promise<void> {
  if (values.flags.has('json')) return terminal.print(`${safeJson(record, 2)}\n`)
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== '')
  const width = Math.max(...entries.map(([name]) => name.length))
  await terminal.print(entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`).join(''))
}

/** A row per record. In a pipe, columns are parted by tabs and there is no heading. */
export async function printTable<Row extends object>(
  { terminal, values }: Context,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Promise<void> {
  if (values.flags.has('json')) return terminal.print(`${safeJson(rows, 2)}\n`)
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  if (!terminal.isTerminal) return terminal.print(cells.map((row) => `${row.join('\t')}\n`).join(''))
  const all = [columns.map((column) => column.toUpperCase()), ...cells.map((row) => row.map(shortDate))]
  const widths = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? ''))))
  const lines = all.map((row) =>
    row.map((text, index) => text + ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)))).join('  '),
  )
  await terminal.print(lines.map((line) => `${line.trimEnd()}\n`).join(''))
}

/** Thousandths of a second are for programs. */
const shortDate = (text: string) => text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/, '$1 $2Z')

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return safeLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const onlyAscii = /^[\x20-\x7e]*$/
const isWide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u
const isInvisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** Returns how many columns of a terminal a text takes. */
function widthOf(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    if (!isInvisible.test(segment)) width += isWide.test(segment) ? 2 : 1
  }
  return width
}

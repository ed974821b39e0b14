import type { Context } from './command.ts'
import { safeJson, safeLine } from './safe-text.ts'

/** Prints names and values, one per line, or JSON. */
export async function printRecord({ terminal, values }: Context, record: object): Promise<void> {
  if (values.flags.has('json')) return terminal.print(`${safeJson(record, 2)}\n`)
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== '')
  const width = Math.max(...entries.map(([name]) => name.length))
  await terminal.print(
    entries.map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}\n`).join(''),
  )
}

/** Prints a row per record. In a pipe, columns are separated by tabs and there is no header row. */
export async function printTable<Row extends object>(
  { terminal, values }: Context,
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Promise<void> {
  if (values.flags.has('json')) return terminal.print(`${safeJson(rows, 2)}\n`)
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])))
  if (!terminal.isTerminal) return terminal.print(cells.map((row) => `${row.join('\t')}\n`).join(''))
  const table = [
    columns.map((column) => column.toUpperCase()),
    ...cells.map((row) => row.map(withoutMilliseconds)),
  ]
  const widths = columns.map((_, index) => Math.max(...table.map((row) => displayWidth(row[index] ?? ''))))
  const lines = table.map((row) =>
    row
      .map((text, index) => text + ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(text))))
      .join('  '),
  )
  await terminal.print(lines.map((line) => `${line.trimEnd()}\n`).join(''))
}

/** Removes milliseconds, which only programs need. */
const withoutMilliseconds = (text: string) =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/, '$1 $2Z')

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return safeLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const onlyAscii = /^[\x20-\x7e]*$/
const isWide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u
const isInvisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** Returns the width of a text in terminal columns. */
function displayWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    if (!isInvisible.test(segment)) width += isWide.test(segment) ? 2 : 1
  }
  return width
}

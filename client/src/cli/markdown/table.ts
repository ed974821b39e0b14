import { inline } from './inline.ts'
import { type Line, linesOf } from './lines.ts'
import { paint } from './style.ts'

const mostColumns = 40
const narrowest = 6
const separator = ' │ '

/** A table whose columns share the width by what they hold; cells that do not fit have several lines. */
export function renderTable(
  rows: readonly string[][],
  { width, hasLinks }: { width: number; hasLinks: boolean },
): string[] {
  const count = Math.min(mostColumns, Math.max(...rows.slice(0, 1000).map((row) => row.length)))
  const spans = rows.map((row, index) =>
    Array.from({ length: count }, (_, column) => inline(row[column] ?? '', index === 0 ? ['bold'] : [])),
  )
  const room = width - separator.length * (count - 1)
  // Too many columns for lines side by side: each row becomes a list of names and values.
  if (room < narrowest * count) return asRecords(rows, { width, hasLinks })
  const wanted = Array.from({ length: count }, (_, column) =>
    spans.reduce(
      (most, row) => Math.max(most, widest(linesOf(row[column] ?? [], { width: room, hasLinks }))),
      1,
    ),
  )
  const widths = share(wanted, room)
  const lines = spans.flatMap((row, index) => {
    const cells = row.map((cell, column) => linesOf(cell, { width: widths[column] ?? 1, hasLinks }))
    const drawn = besides(cells, widths)
    return index === 0
      ? [...drawn, paint(widths.map((each) => '─'.repeat(each)).join('─┼─'), ['dim'])]
      : drawn
  })
  return lines
}

const widest = (lines: readonly Line[]) => lines.reduce((most, line) => Math.max(most, line.width), 0)

/** Columns that need less than an equal share get what they need; the others share the rest. */
function share(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted]
  const order = wanted
    .map((_, column) => column)
    .sort((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0))
  let left = room
  for (const [index, column] of order.entries()) {
    const fair = Math.floor(left / (order.length - index))
    widths[column] = Math.min(wanted[column] ?? 1, fair)
    left -= widths[column] ?? 0
  }
  return widths
}

function besides(cells: readonly Line[][], widths: readonly number[]): string[] {
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => {
        const line = lines[at] ?? { text: '', width: 0 }
        return line.text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - line.width))
      })
      .join(paint(separator, ['dim']))
      .trimEnd(),
  )
}

function asRecords(rows: readonly string[][], room: { width: number; hasLinks: boolean }): string[] {
  const [names = [], ...records] = rows
  return records.flatMap((record, index) => {
    const lines = record.flatMap((cell, column) =>
      linesOf([...inline(names[column] ?? '', ['bold']), { text: ': ', styles: [] }, ...inline(cell)], room),
    )
    return [...(index === 0 ? [] : ['']), ...lines.map(({ text }) => text)]
  })
}

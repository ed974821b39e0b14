import type { Lines } from '../fields/lines.ts'
import { type Cell, type Column, plainColumn } from './cell.ts'
import type { Span } from './groups.ts'

const mostParts = 5
const fewest = 3

/** Texts that commas part into as many parts in every record are columns of their parts as well: "PDF, 2.4 MB". */
export function partColumns(columns: readonly Column[]): Column[] {
  return columns.flatMap((column) => {
    const { form, cells, isHeading, isList, isLink, isWhole } = column
    if (form !== 'text' || isHeading || isList || isLink || isWhole || cells.size < fewest) return []
    const parted = [...cells].map(([record, cell]) => [record, cell, cell.text.split(/,\s+/)] as const)
    const size = parted[0]?.[2].length ?? 0
    if (size < 2 || size > mostParts || parted.some(([, , parts]) => parts.length !== size)) return []
    return Array.from({ length: size }, (_, at): Column => {
      const own = parted.map(([record, cell, parts]) => [record, { ...cell, text: parts[at] ?? '' }] as const)
      const named = { names: column.names, order: column.order, isPiece: true, isPart: true }
      return {
        ...plainColumn(column.order),
        ...named,
        cells: new Map(own.filter(([, { text }]) => text !== '')),
      }
    })
  })
}

const furthest = 400

/** Headings between records that hold for those below: the days of a programme. */
export function headingColumn(lines: Lines, spans: readonly Span[], order: number): Column[] {
  const { list, before } = lines
  const cells = new Map<number, Cell>()
  let end = 0
  let known: Cell | undefined
  for (const [record, { node, end: stop }] of spans.entries()) {
    const from = record === 0 ? Math.max(0, (before[node] ?? 0) - 3) : (before[end] ?? 0)
    const heading = list
      .slice(Math.max(from, (before[node] ?? 0) - furthest), before[node])
      .findLast(({ level }) => level > 1)
    if (heading) known = { text: heading.text, node: heading.first }
    if (known) cells.set(record, known)
    end = stop
  }
  const texts = new Set([...cells.values()].map(({ text }) => text))
  // One heading is that of the list, and one for each record is its own.
  if (cells.size < spans.length || texts.size < 2 || texts.size === spans.length) return []
  // Only its look identifies it.
  return [{ ...plainColumn(order), cells, isPart: true }]
}

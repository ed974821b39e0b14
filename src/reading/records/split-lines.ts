import type { Line, Lines } from '../fields/lines.ts'
import { sectionAfter } from '../fields/section-lines.ts'
import type { Slot } from '../fields/slots.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { type Column, plainColumn, type RecordSet } from './cell.ts'
import { headingScore } from './list-heading.ts'

const leastHeading = 0.6
const mostLines = 200
const longest = 240
const separators: readonly RegExp[] = [/\s*,\s+/, /\s+[–—|·•-]\s+/, /\s*[:：]\s+/]

/** Lines below a heading that names the list, whose parts are its fields: "B.A., Ashby College, 1991". */
export function splitLines(lines: Lines, spec: ListSpec, slots: readonly Slot[]): RecordSet[] {
  const sets: RecordSet[] = []
  for (const [at, line] of lines.list.entries()) {
    if (line.level === 0 || line.words.length > 6 || headingScore(spec, line) < leastHeading) continue
    const section = sectionAfter(lines, at).slice(0, mostLines)
    for (const separator of separators) {
      const set = partsOf(section, separator, slots.length)
      if (set) sets.push({ ...set, weight: line.weight })
    }
  }
  return sets
}

function partsOf(section: readonly Line[], separator: RegExp, size: number): RecordSet | undefined {
  const rows = section
    .filter(({ text }) => text.length <= longest)
    .map((line) => ({ line, parts: line.text.split(separator).filter(Boolean) }))
    .filter(({ parts }) => parts.length === size)
  if (rows.length === 0 || size < 2 || rows.length < section.length * 0.7) return undefined
  const columns = Array.from({ length: size }, (_, order): Column => plainColumn(order))
  for (const [record, { line, parts }] of rows.entries())
    for (const [place, text] of parts.entries()) columns[place]?.cells.set(record, { text, node: line.first })
  return { nodes: rows.map(({ line }) => line.holder), columns, reader: 'section', weight: 1 }
}

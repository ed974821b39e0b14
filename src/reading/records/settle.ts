import type { Assignment } from './assignment.ts'
import type { Column, RecordSet } from './cell.ts'
import { mostSampled } from './column-score.ts'

/** What fields say of each other: the address of a record is that of its title, and a title is no description. */
export function settled(chosen: readonly Assignment[], set: RecordSet): Assignment[] {
  const title = chosen.find(({ slot }) => slot.names.concept === 'title')
  if (!title) return [...chosen]
  return chosen.flatMap((one) => {
    const { concept } = one.slot.names
    if (concept === 'description' && one.score < leastNamed && repeats(one.column, title.column)) return []
    if (concept !== 'url' || one.score >= leastNamed) return [one]
    const link = set.columns.find((column) => column.form === 'link' && holds(column, title.column))
    return [link ? { ...one, column: link, more: [] } : one]
  })
}

const leastNamed = 0.65

function repeats({ cells }: Column, title: Column): boolean {
  const sample = [...cells].slice(0, mostSampled)
  return sample.every(([record, { text }]) => text.includes(title.cells.get(record)?.text ?? '\n'))
}

/** Whether the links are those around the texts. */
function holds({ cells }: Column, title: Column): boolean {
  const sample = [...title.cells].slice(0, mostSampled)
  const same = sample.filter(([record, { link }]) => link !== undefined && link === cells.get(record)?.node)
  return same.length >= sample.length * 0.8
}

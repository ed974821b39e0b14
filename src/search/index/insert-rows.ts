import { CompiledQuery } from 'kysely'
import type { SearchQueryable, SearchStore } from './tables.ts'

export interface InsertStatement {
  table: string
  /** Those behind `index_id`, which all rows share. */
  columns: readonly string[]
  /** What happens where a row exists, by dialect. */
  onConflict?: Record<SearchStore['dialect'], string>
}

const together = 100
const texts = new Map<string, string>()

/** Inserts rows of values. Thousands of words come with every page: their statements are written once and kept. */
export async function insertRows(
  query: SearchQueryable,
  { indexId, dialect }: { indexId: string; dialect: SearchStore['dialect'] },
  statement: InsertStatement,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += together) {
    const some = rows.slice(start, start + together)
    const text = textOf(statement, dialect, some.length)
    await query.executeQuery(CompiledQuery.raw(text, [indexId, ...some.flat()]))
  }
}

function textOf(statement: InsertStatement, dialect: SearchStore['dialect'], rows: number): string {
  const key = `${statement.table} ${dialect} ${rows} ${statement.onConflict?.[dialect]}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const { table, columns, onConflict } = statement
  const sign = dialect === 'postgres' ? '$' : '?'
  const place = (row: number, column: number) => `${sign}${2 + row * columns.length + column}`
  const valuesOf = (row: number) => `(${sign}1, ${columns.map((_, column) => place(row, column)).join(', ')})`
  const values = Array.from({ length: rows }, (_, row) => valuesOf(row)).join(', ')
  const conflict = onConflict ? ` on conflict ${onConflict[dialect]}` : ''
  const text = `insert into ${table} (index_id, ${columns.join(', ')}) values ${values}${conflict}`
  texts.set(key, text)
  return text
}

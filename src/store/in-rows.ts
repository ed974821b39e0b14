import type { Compilable, InsertResult } from 'kysely'
import { yieldOften } from '../base/yield-often.ts'
import { prepared } from './prepared.ts'
import type { Queryable } from './schema.ts'

/** Rows of one statement: few enough that it is short, many enough that PostgreSQL is not asked for each. */
const together = 50

/**
 * Inserts any number of rows by two statements that are compiled once, one for many rows and one for a single row.
 * Everything else gets its turn in between, however many there are. Answers how many rows were written.
 */
export function inRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (query: Queryable, rows: Row[]) => Compilable<InsertResult>,
): (query: Queryable, rows: Row[]) => Promise<number> {
  const insert = (count: number) =>
    prepared<unknown[], InsertResult>((query, value) => {
      const rows = Array.from({ length: count }, (_, row) =>
        Object.fromEntries(columns.map((name, column) => [name, value(row * columns.length + column)])),
      )
      // The list names every column, so the rows are whole.
      return build(query, rows as Row[])
    })
  const [many, one] = [insert(together), insert(1)]
  return async (query, rows) => {
    const pauses = yieldOften()
    let written = 0
    for (let start = 0; start < rows.length; ) {
      const isMany = rows.length - start >= together
      const part = rows.slice(start, start + (isMany ? together : 1))
      const values = part.flatMap((row) => columns.map((name) => row[name]))
      const { numAffectedRows } = await (isMany ? many : one)(query, values)
      written += Number(numAffectedRows ?? 0n)
      start += part.length
      if (pauses.isDue()) await pauses.take()
    }
    return written
  }
}

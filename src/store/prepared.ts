import {
  type Compilable,
  type CompiledQuery,
  type InsertResult,
  type QueryResult,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { createTimeSlice } from '../platform/time-slice.ts'
import type { Queryable, Tables } from './schema.ts'

/**
 * A query that is built and compiled once per database and then run with new values. For the few queries on the road of
 * every call: building one anew costs several times what running it does.
 */
export function prepared<Values extends object, Row = unknown>(
  build: (
    query: Queryable,
    value: <Name extends keyof Values>(name: Name) => Values[Name],
  ) => Compilable<Row>,
): (query: Queryable, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (query, values) => {
    // One compiled text per kind of database; a transaction shares the adapter of its database.
    const kind = query.getExecutor().adapter.constructor
    let found = compiled.get(kind)
    if (!found) {
      // A place holds the name of its value until the query is run; Kysely hands it through as it is.
      found = build(query, (name) => new Parameter(name as string) as never).compile()
      compiled.set(kind, found)
    }
    const parameters = found.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    )
    return query.executeQuery({ ...found, parameters })
  }
}

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Rows of one statement: few enough that it is short, many enough that PostgreSQL is not asked for each. */
const together = 50

/**
 * Inserts any number of rows by two statements that are compiled once, one for many rows and one for a single row.
 * Everything else gets its turn in between, however many there are. Answers how many rows were written.
 */
export function createChunkedInsert<Row extends object>(
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
    const pauses = createTimeSlice()
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

/** Number of rows that a query finds. */
export async function countRows<Found extends keyof Tables>(
  select: SelectQueryBuilder<Tables, Found, object>,
): Promise<number> {
  const row = await select.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

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
 * Builds and compiles a query once per kind of database, and then runs it with new values. Use it only for queries on
 * the hot path, because building a query takes several times as long as running it.
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
    let compiledQuery = compiled.get(kind)
    if (!compiledQuery) {
      // A placeholder holds the name of its value until the query runs. Kysely passes it through unchanged.
      compiledQuery = build(query, (name) => new Parameter(name as string) as never).compile()
      compiled.set(kind, compiledQuery)
    }
    const parameters = compiledQuery.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    )
    return query.executeQuery({ ...compiledQuery, parameters })
  }
}

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Rows per statement: few enough for a short statement, many enough to save round trips to PostgreSQL. */
const rowsPerStatement = 50

/**
 * Creates an insert of any number of rows, with two statements that are compiled once: one for many rows and one for a
 * single row. Yields to the event loop between statements. Resolves to the number of written rows.
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
      // The list contains every column, so the rows are complete.
      return build(query, rows as Row[])
    })
  const [insertMany, insertOne] = [insert(rowsPerStatement), insert(1)]
  return async (query, rows) => {
    const timeSlice = createTimeSlice()
    let written = 0
    for (let start = 0; start < rows.length; ) {
      const isMany = rows.length - start >= rowsPerStatement
      const chunk = rows.slice(start, start + (isMany ? rowsPerStatement : 1))
      const values = chunk.flatMap((row) => columns.map((name) => row[name]))
      const { numAffectedRows } = await (isMany ? insertMany : insertOne)(query, values)
      written += Number(numAffectedRows ?? 0n)
      start += chunk.length
      if (timeSlice.isDue()) await timeSlice.take()
    }
    return written
  }
}

/** Returns the number of rows that a query finds. */
export async function countRows<Selected extends keyof Tables>(
  select: SelectQueryBuilder<Tables, Selected, object>,
): Promise<number> {
  const row = await select.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

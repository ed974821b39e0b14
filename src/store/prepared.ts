import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type InsertResult,
  type QueryResult,
  type RawBuilder,
  type ReferenceExpression,
  type SelectQueryBuilder,
  type SelectType,
  sql,
} from 'kysely'
import { createTimeSlice } from '../platform/time-slice.ts'
import type { Queryable, Tables } from './schema.ts'

/** Compiles a query once: on the hot path, building it would take several times as long as running it. */
export function prepared<Values extends object, Row = unknown>(
  build: (
    query: Queryable,
    value: <Name extends keyof Values>(name: Name) => Values[Name],
  ) => Compilable<Row>,
): (query: Queryable, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (query, values) => {
    // One compiled query per kind of database; a transaction shares the adapter of its database.
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

/** Compiles two statements once: for many rows and for one. Yields to the event loop between statements. */
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

type ColumnValue<Column> = NonNullable<SelectType<Column>> | Expression<NonNullable<SelectType<Column>>>

export function hasValues<Table extends keyof Tables>(
  values: {
    [Column in keyof Tables[Table]]?: ColumnValue<Tables[Table][Column]>
  },
) {
  return (compare: ExpressionBuilder<Tables, Table>) =>
    compare.and(
      Object.entries(values).map(([column, value]) =>
        // The keys are columns of the table, and the values have the types of their columns.
        compare(column as ReferenceExpression<Tables, Table>, '=', value as never),
      ),
    )
}

/** Returns false, without a change, if a row with an equal unique key exists. */
export async function insertIfNew<Table extends keyof Tables>(
  query: Queryable,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<boolean> {
  // The row has the type of the table, which Kysely does not relate to a table of a generic type.
  const insert = query.insertInto<keyof Tables>(table).values(row as never)
  const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirstOrThrow()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function countRows<Selected extends keyof Tables>(
  select: SelectQueryBuilder<Tables, Selected, object>,
): Promise<number> {
  const row = await select.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function listWaitingTeams(query: Queryable, from: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ team_id: string }>`
    ${withWaitingTeams(from)} select team_id from waiting where team_id is not null`.execute(query)
  return rows.map((row) => row.team_id)
}

/** Lists the teams with a loose index scan, instead of reading the entire index. */
export function withWaitingTeams(from: RawBuilder<unknown>) {
  return sql`with recursive waiting(team_id) as (
      select min(team_id) ${from}
      union all
      select (select min(team_id) ${from} and team_id > waiting.team_id)
      from waiting where waiting.team_id is not null
    )`
}

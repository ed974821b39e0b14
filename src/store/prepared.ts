import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Queryable } from './schema.ts'

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

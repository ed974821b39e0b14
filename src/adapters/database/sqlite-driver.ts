import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { limitConcurrency } from '../../base/permits.ts'
import { toDiskFailure } from '../../base/store-unavailable.ts'
import type { Checkpoints } from './sqlite-checkpoints.ts'
import { toStorableText } from './storable-text.ts'

/** Kysely's own driver begins transactions lazily; a second process could then make the first write fail. */
export function sqliteDriver(database: DatabaseSync, checkpoints: Pick<Checkpoints, 'wrote'>): Driver {
  const known = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const found = known.get(text)
    if (found) return found
    const statement = database.prepare(text)
    const prepared = { statement, hasRows: statement.columns().length > 0, writes: !/^\s*select/i.test(text) }
    if (known.size >= 500) known.clear()
    known.set(text, prepared)
    return prepared
  }
  const telling = reportingDisk(database.location() ?? '')
  const inOrder = limitConcurrency(1)
  // Kysely releases every connection that it has acquired, and one at most is acquired.
  let release = () => {}
  const wrote = (rows: number) => checkpoints.wrote(rows, inOrder)
  const run = (text: string) => telling(() => void prepare(text).statement.run())
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { statement, hasRows, writes } = prepare(query.sql)
      const values = query.parameters.map(inputValue)
      return telling(() => {
        if (hasRows) {
          const rows = statement.all(...values)
          if (writes) wrote(rows.length)
          // Rows are plain objects with the selected columns, as the typed query declares.
          return { rows: rows as Row[] }
        }
        const { changes } = statement.run(...values)
        wrote(Number(changes))
        return { rows: [], numAffectedRows: BigInt(changes) }
      })
    },
    streamQuery() {
      throw new Error('Rows are not streamed from SQLite.')
    },
  }
  let isLenient = false
  function end(how: 'commit' | 'rollback'): void {
    // A full disk has already rolled it back, and a second error would hide the cause.
    if (how === 'commit' || database.isTransaction) run(how)
    if (isLenient) run('pragma synchronous = full')
    isLenient = false
  }
  return {
    async init() {},
    async acquireConnection() {
      const acquired = Promise.withResolvers<DatabaseConnection>()
      const released = Promise.withResolvers<void>()
      void inOrder(() => {
        release = released.resolve
        acquired.resolve(connection)
        return released.promise
      })
      return acquired.promise
    },
    async beginTransaction(_, { isolationLevel }) {
      // SQLite has one isolation level. The weakest level of the standard marks a commit that does not wait for
      // the disk.
      isLenient = isolationLevel === 'read uncommitted'
      if (isLenient) run('pragma synchronous = normal')
      run('begin immediate')
    },
    commitTransaction: async () => end('commit'),
    rollbackTransaction: async () => end('rollback'),
    async releaseConnection() {
      release()
    },
    async destroy() {
      known.clear()
      database.close()
    },
  }
}

/** Primary result codes of SQLite for problems with the disk or another process, not the query. */
const resultCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
}

function reportingDisk(path: string) {
  const folder = { part: 'database', name: 'DATA_DIR', path: dirname(path) } as const
  return <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (cause) {
      // The lower byte is the code, the rest has details.
      const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0
      throw toDiskFailure(resultCodes[code] ?? '', folder, cause)
    }
  }
}

interface Prepared {
  statement: StatementSync
  hasRows: boolean
  writes: boolean
}

function inputValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  // Everything else that a query of ours carries is a string, a number, null or bytes.
  return toStorableText(value) as SQLInputValue
}

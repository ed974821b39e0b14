import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { codeOf, toDiskError } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import type { Database } from '../../platform/ports/database.ts'
import { toStorableText } from '../../platform/text.ts'
import { type Checkpoints, checkpoints, syncedLog } from './sqlite-log.ts'

/** Kysely's own driver begins transactions lazily; a second process could then make the first write fail. */
function sqliteDriver(database: DatabaseSync, checkpoints: Pick<Checkpoints, 'wrote'>): Driver {
  const known = new LRUCache<string, Prepared>({ max: 500 })
  const prepare = (text: string): Prepared => {
    const found = known.get(text)
    if (found) return found
    const statement = database.prepare(text)
    const prepared = { statement, hasRows: statement.columns().length > 0, writes: !/^\s*select/i.test(text) }
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
      throw toDiskError(resultCodes[code] ?? '', folder, cause)
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

/** Embedded: the SQLite that is built into Node. One process serves it; commands may open it at the same time. */
export function sqliteDatabase<Tables>(path: string): Database<Tables> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(path)
  // FULL: a write outside a transaction is on disk before it is acknowledged, also in WAL mode; `sqlite-log.ts` syncs
  // transactions. Another thread runs the checkpoints; this connection only does so after 128 MB, if the
  // thread is too slow. Deleted rows are overwritten, so the file does not keep what a deleted team had.
  connection.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma wal_autocheckpoint = 32000; pragma cache_size = -16000; pragma secure_delete = on',
  )
  const folding = checkpoints(path)
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => sqliteDriver(connection, folding),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const log = syncedLog(`${path}-wal`)
  const folder = { part: 'database', name: 'DATA_DIR', path: dirname(path) } as const
  const failed = (cause: unknown) => {
    throw toDiskError(codeOf(cause), folder, cause)
  }
  const wakes = new EventEmitter().setMaxListeners(0)
  return {
    dialect: 'sqlite',
    isShared: false,
    query,
    async transaction(work, options = { durable: true }) {
      const result = await query.transaction().setIsolationLevel('read uncommitted').execute(work)
      if (options.durable) await log.sync().catch(failed)
      else log.syncSoon()
      return result
    },
    // One connection writes, one transaction at a time: no other transaction ever locks a row.
    skipLocked: (select) => select,
    lock: (select) => select,
    lockName: async () => {},
    tryLockName: async () => true,
    listen(channel, heard) {
      wakes.on(channel, heard)
      return () => void wakes.off(channel, heard)
    },
    notify: (channel, message) => void setImmediate(() => wakes.emit(channel, message)),
    async subscribe(topic, heard) {
      wakes.on(`topic ${topic}`, heard)
      return () => void wakes.off(`topic ${topic}`, heard)
    },
    publish(topic, message) {
      if (wakes.listenerCount(`topic ${topic}`) === 0) return
      const told = message()
      setImmediate(() => wakes.emit(`topic ${topic}`, told))
    },
    time: async () => Date.now(),
    size: () => sizeOf([path, `${path}-wal`]),
    async close() {
      await log.stop()
      await folding.stop()
      await query.destroy()
    },
  }
}

async function sizeOf(paths: string[]): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** SQLite rolls back schema changes with their transaction; an interrupted migration must leave nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Ensures that only one process serves a data folder. An open exclusive transaction on a separate file is a lock
 * that the operating system releases however the process ends; a file with a process id is not.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    lock.close()
    throw new FolderInUse(folder, { cause })
  }
  return () => lock.close()
}

export class FolderInUse extends Error {
  constructor(folder: string, options: ErrorOptions) {
    super(`Another Winnow already serves ${folder}. Stop it, or set DATA_DIR to another folder.`, options)
  }
}

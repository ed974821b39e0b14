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
import { type Checkpoints, createCheckpoints, createWalSync } from './sqlite-log.ts'

/** Begins immediately: a lazy transaction of Kysely fails at its first write if another process wrote. */
function sqliteDriver(database: DatabaseSync, checkpoints: Pick<Checkpoints, 'recordWrites'>): Driver {
  const preparedStatements = new LRUCache<string, Prepared>({ max: 500 })
  const prepare = (text: string): Prepared => {
    const cached = preparedStatements.get(text)
    if (cached) return cached
    const statement = database.prepare(text)
    const prepared = { statement, hasRows: statement.columns().length > 0, writes: !/^\s*select/i.test(text) }
    preparedStatements.set(text, prepared)
    return prepared
  }
  const withDiskErrors = createDiskErrorMapper(database.location() ?? '')
  const runExclusive = limitConcurrency(1)
  // Kysely releases every acquired connection, and at most one is acquired.
  let release = () => {}
  const reportWrites = (rows: number) => checkpoints.recordWrites(rows, runExclusive)
  const run = (text: string) => withDiskErrors(() => void prepare(text).statement.run())
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { statement, hasRows, writes } = prepare(query.sql)
      const values = query.parameters.map(toInputValue)
      return withDiskErrors(() => {
        if (hasRows) {
          const rows = statement.all(...values)
          if (writes) reportWrites(rows.length)
          // Rows are plain objects with the selected columns, as the typed query declares.
          return { rows: rows as Row[] }
        }
        const { changes } = statement.run(...values)
        reportWrites(Number(changes))
        return { rows: [], numAffectedRows: BigInt(changes) }
      })
    },
    streamQuery() {
      throw new Error('Rows are not streamed from SQLite.')
    },
  }
  let isNonDurable = false
  function endTransaction(command: 'commit' | 'rollback'): void {
    // A full disk has already rolled back the transaction, and a second error would hide the cause.
    if (command === 'commit' || database.isTransaction) run(command)
    if (isNonDurable) run('pragma synchronous = full')
    isNonDurable = false
  }
  return {
    async init() {},
    async acquireConnection() {
      const acquired = Promise.withResolvers<DatabaseConnection>()
      const released = Promise.withResolvers<void>()
      void runExclusive(() => {
        release = released.resolve
        acquired.resolve(connection)
        return released.promise
      })
      return acquired.promise
    },
    async beginTransaction(_, { isolationLevel }) {
      // SQLite has one isolation level, so the weakest one represents a commit that does not wait for the disk.
      isNonDurable = isolationLevel === 'read uncommitted'
      if (isNonDurable) run('pragma synchronous = normal')
      run('begin immediate')
    },
    commitTransaction: async () => endTransaction('commit'),
    rollbackTransaction: async () => endTransaction('rollback'),
    async releaseConnection() {
      release()
    },
    async destroy() {
      preparedStatements.clear()
      database.close()
    },
  }
}

/** Primary SQLite result codes for problems of the disk or another process, not of the query. */
const resultCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
}

function createDiskErrorMapper(path: string) {
  const folder = { part: 'database', name: 'DATA_DIR', path: dirname(path) } as const
  return <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (cause) {
      // The lower byte is the primary code; the rest are details.
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

function toInputValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  // All other parameters of our queries are strings, numbers, null or bytes.
  return toStorableText(value) as SQLInputValue
}

/** One process serves the database of embedded mode. Commands may open it at the same time. */
export function sqliteDatabase<Tables>(path: string): Database<Tables> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(path)
  // FULL: a write outside a transaction is on disk before it is acknowledged, also in WAL mode; `sqlite-log.ts` syncs
  // transactions. Another thread runs the checkpoints; this connection only runs one after 128 MB, if the thread is too
  // slow. Deleted rows are overwritten, so that the file contains no data of a deleted team.
  connection.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000; pragma wal_autocheckpoint = 32000; pragma cache_size = -16000; pragma secure_delete = on',
  )
  const checkpointThread = createCheckpoints(path)
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => sqliteDriver(connection, checkpointThread),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const walSync = createWalSync(`${path}-wal`)
  const folder = { part: 'database', name: 'DATA_DIR', path: dirname(path) } as const
  const throwDiskError = (cause: unknown) => {
    throw toDiskError(codeOf(cause), folder, cause)
  }
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    dialect: 'sqlite',
    isShared: false,
    query,
    async transaction(work, options = { durable: true }) {
      const result = await query.transaction().setIsolationLevel('read uncommitted').execute(work)
      if (options.durable) await walSync.sync().catch(throwDiskError)
      else walSync.syncSoon()
      return result
    },
    // One connection writes, one transaction at a time, so no other transaction ever locks a row.
    skipLocked: (select) => select,
    lock: (select) => select,
    lockName: async () => {},
    tryLockName: async () => true,
    listen(channel, handler) {
      emitter.on(channel, handler)
      return () => void emitter.off(channel, handler)
    },
    notify: (channel, message) => void setImmediate(() => emitter.emit(channel, message)),
    async subscribe(topic, handler) {
      emitter.on(`topic ${topic}`, handler)
      return () => void emitter.off(`topic ${topic}`, handler)
    },
    publish(topic, message) {
      if (emitter.listenerCount(`topic ${topic}`) === 0) return
      const text = message()
      setImmediate(() => emitter.emit(`topic ${topic}`, text))
    },
    time: async () => Date.now(),
    async size() {
      const files = await Promise.all([stat(path), stat(`${path}-wal`)])
      return files.reduce((sum, { size }) => sum + size, 0)
    },
    async close() {
      await walSync.stop()
      await checkpointThread.stop()
      await query.destroy()
    },
  }
}

/** Allows schema changes in transactions. SQLite rolls them back, so an interrupted migration leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The lock is an open transaction on a separate file, which the system releases however the process ends. */
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
